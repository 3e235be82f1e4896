"""Ejercicio abierto: cuánto contexto cabe en una memoria."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _one_by_one(memory, n_layers, per_layer, n_windowed, window):
    """Prueba longitudes: dobla hasta pasarse y afina por bisección."""

    def needed(length):
        kept = 0
        for layer in range(n_layers):
            kept += min(length, window) if layer < n_windowed else length
        return 2 * per_layer * kept

    low, high = 0, 1
    while needed(high) <= memory:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if needed(middle) <= memory else (low, middle)
    return low


def _variant(windowed=True, keep_window=True):
    def fits(memory, n_layers, per_layer, n_windowed, window):
        if not windowed:
            return memory // (2 * per_layer * n_layers)
        everywhere = memory // (2 * per_layer * n_layers)
        if everywhere < window and keep_window:
            return everywhere
        full = n_layers - n_windowed
        left = memory - (2 * per_layer * n_windowed * window if keep_window else 0)
        return left // (2 * per_layer * full)

    return fits


def _always_past_the_window(memory, n_layers, per_layer, n_windowed, window):
    left = memory - 2 * per_layer * n_windowed * window
    return left // (2 * per_layer * (n_layers - n_windowed))


def _case(seed, windowed, small=False):
    def make():
        random = chance(seed)
        n_layers, per_layer = random.randint(8, 40), random.choice((128, 576, 1024))
        n_windowed = random.randint(2, n_layers - 2) if windowed else 0
        window = random.choice((128, 512, 1024)) if windowed else 1
        tokens = random.randint(20, 100) if small else random.randint(5000, 90000)
        return 2 * per_layer * n_layers * tokens + 77, n_layers, per_layer, n_windowed, window

    return make


def _at_the_window(seed):
    """Con todas creciendo caben justo los de la ventana, y lo que sobra da para alguno más."""

    def make():
        random = chance(seed)
        n_layers, n_windowed, per_layer = 12, random.randint(7, 10), 128
        window, full = random.choice((16, 32)), n_layers - n_windowed
        spare = random.randint(full, n_layers - 1)
        memory = 2 * per_layer * (n_layers * window + spare)
        return memory, n_layers, per_layer, n_windowed, window

    return make


FITS = Exercise(
    Card(
        id="cache-a-medida",
        title="¿Cuánto contexto cabe?",
        kind="abierto",
        difficulty=2,
        minutes=45,
        points=2,
        manual_points=8,
        objective="elegir cómo encoger una caché y medir lo que cuesta",
        hints=(
            "Mientras la longitud no pasa de la ventana, todas las capas guardan lo mismo por "
            "token. Después, las de ventana ya no crecen.",
            "Si con todas las capas creciendo caben `window` tokens o más, aparta lo que ocupan "
            "las de ventana llenas y reparte lo que queda entre las demás.",
            "Para el diseño: fija la memoria y cambia una sola cosa cada vez (juegos de claves, "
            "capas de ventana, bytes por número).",
        ),
    ),
    Task(
        function="tokens_that_fit",
        cases=(
            Case("sin capas de ventana", _case(0, False)),
            Case("con capas de ventana", _case(1, True)),
            Case("no se llega a llenar la ventana", _case(2, True, small=True)),
            Case("otro modelo con ventanas", _case(3, True)),
            Case("la ventana se llena y sobra algo", _at_the_window(4)),
            example(1000, 2, 10, 1, 20),
        ),
        reference=_one_by_one,
        mistakes=(
            Mistake(
                "sin-ventanas",
                "has hecho crecer todas las capas: las de ventana dejan de crecer al llenarse",
                (_variant(windowed=False),),
            ),
            Mistake(
                "ventanas-gratis",
                "has olvidado lo que ocupan las capas de ventana cuando están llenas",
                (_variant(keep_window=False),),
            ),
            Mistake(
                "ventana-siempre-llena",
                "cuando no se llega a llenar la ventana, sus capas ocupan menos: cuenta los tokens "
                "que hay",
                (_always_past_the_window,),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
