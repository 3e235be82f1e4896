"""Ejercicio de código: encontrar los tres fallos de quien escribe con reglas."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _by_listing(logits, place, n_bins, n_classes):
    """De las palabras que caben, la de mayor logit."""
    first, last = (n_bins, n_bins + n_classes) if place % 5 == 4 else (0, n_bins)
    names = range(first, last)
    return max(names, key=lambda word: logits[word])


def _variant(
    zeros=False, symbols=False, first=False, *, free=False, period=5, shift=0, turned=False
):
    """La palabra elegida con algún cambio; los tres primeros son los fallos del enunciado."""

    def choose_word(logits, place, n_bins, n_classes):
        is_class = place % period == (0 if first else period - 1)
        if turned:
            is_class = not is_class
        high = len(logits) if symbols else n_bins + n_classes
        low, high = (n_bins, high) if is_class else (0, n_bins)
        if free:
            low, high = 0, len(logits)
        covered = 0.0 if zeros else float("-inf")
        scores = [x if low <= word < high else covered for word, x in enumerate(logits)]
        return scores.index(max(scores)) - (n_bins if shift and is_class else 0)

    return choose_word


FAULTS = {
    "ceros": "se ponen a cero los logits de las que no caben, y si los de las que caben son "
    "negativos gana un cero; con −∞ no gana nunca",
    "simbolos": "entre las clases quedan los símbolos, que van detrás: el ruido y el fin no se "
    "escriben ahí",
    "delante": "la clase es la última palabra de cada objeto, y no la primera",
}


def _case(logits, place, n_bins=4, n_classes=2):
    return lambda: (list(logits), place, n_bins, n_classes)


def _random_case(seed, is_class):
    """Un lugar de cualquier objeto, con otro vocabulario; dos logits nunca son iguales."""

    def make():
        random = chance(seed)
        n_bins, n_classes = random.randint(10, 25), random.randint(4, 8)
        logits = random.sample(range(-50, 50), n_bins + n_classes + 2)
        place = 5 * random.randrange(8) + (4 if is_class else random.randrange(4))
        return [logit / 10 for logit in logits], place, n_bins, n_classes

    return make


def _negative_case(seed, is_class):
    """Las que caben tienen todas el logit negativo, y las demás no."""

    def make():
        logits, place, n_bins, n_classes = _random_case(seed, is_class)()
        fits = range(n_bins, n_bins + n_classes) if is_class else range(n_bins)
        found = [(-1 if word in fits else 1) * (abs(x) + 0.05) for word, x in enumerate(logits)]
        return found, place, n_bins, n_classes

    return make


def _all_negative(seed):
    """La segunda coordenada de un objeto, con todos los logits negativos."""

    def make():
        logits, place, n_bins, n_classes = _random_case(seed, is_class=False)()
        return [-abs(x) - 0.05 for x in logits], 5 * (place // 5) + 1, n_bins, n_classes

    return make


# Cuatro marcas, dos clases y dos símbolos, que no se escriben: ruido y fin.
FIRST = (0.1, 0.9, 0.3, 0.2, 2.0, 1.0, 3.0, 0.0)
SECOND = (1.5, 0.2, 0.4, 2.5, 0.3, 0.7, 0.1, 4.0)

RULES = Exercise(
    Card(
        id="escribir-con-reglas",
        title="Reglas que se saltan",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar, por lo que escribe, los fallos de un decodificador con reglas",
        hints=(
            "Escribe a mano los logits de una escena de dos objetos, con los de una casilla todos "
            "negativos, y sigue el código lugar a lugar: ¿qué palabra sale, y de qué clase es?",
            "De cada cinco lugares, contando desde 0, los cuatro primeros son coordenadas. Detrás "
            "de las clases quedan los símbolos, que no valen en ningún sitio.",
            "Tapa con −∞, o busca el mayor solo entre las que caben. Y devuelve el número de la "
            "palabra en la lista entera.",
        ),
    ),
    Task(
        function="choose_word",
        cases=(
            Case("la primera coordenada", _case(FIRST, 0)),
            Case("la cuarta coordenada", _case(SECOND, 3)),
            Case("la clase", _case(FIRST, 4)),
            Case("coordenadas de logit negativo", _negative_case(11, is_class=False)),
            Case("clases de logit negativo", _negative_case(12, is_class=True)),
            Case("todos los logits negativos", _all_negative(13)),
            Case("otra clase, más adelante", _case(SECOND, 14)),
            Case("un objeto más", _case(FIRST, 5)),
            Case("a mitad del segundo", _case(SECOND, 8)),
            Case("la primera de las marcas", _case((2.5, 0.9, 0.3, 0.2, 2.0, 1.0, 3.0, 0.0), 6)),
            Case("una coordenada al azar", _random_case(0, is_class=False)),
            Case("una clase al azar", _random_case(1, is_class=True)),
            Case("otra coordenada al azar", _random_case(2, is_class=False)),
            Case("otra clase al azar", _random_case(3, is_class=True)),
            example([0.1, 0.9, 2.0, 0.5, 3.0], 4, 2, 2),
        ),
        reference=_by_listing,
        mistakes=(
            *combined(FAULTS, _variant),
            Mistake(
                "sin-reglas",
                "has elegido entre todas las palabras: solo valen las que caben en ese lugar",
                (_variant(free=True),),
            ),
            Mistake(
                "cada-cuatro",
                "cada objeto ocupa cinco lugares, con la clase: no cuatro",
                (_variant(period=4),),
            ),
            Mistake(
                "numero-de-clase",
                "has devuelto el número de la clase: la palabra es n_bins más ese número",
                (_variant(shift=1),),
            ),
            Mistake(
                "al-reves",
                "has cambiado los papeles: coordenadas donde va la clase, y clases donde van las "
                "coordenadas",
                (_variant(turned=True),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
