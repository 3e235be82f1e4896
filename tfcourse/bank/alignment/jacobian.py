"""Ejercicio para comprender: el gradiente que deja pasar una sparsemax, a mano."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import tex_comma

WEIGHTS, GRAD = (0.5, 0.3, 0.2, 0.0), (4, 1, -2, 7)

CARD = Card(
    id="jacobiano-a-mano",
    title="El gradiente que deja pasar una sparsemax",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=1,
    objective="derivar un reparto con ceros exactos",
    hints=(
        "Dentro del soporte, p_i = z_i − τ, y τ es la media del soporte menos una constante: "
        "¿cuánto cambia p_i si sube z_j?",
        "Dentro del soporte, la derivada de p_i respecto a z_j es 1 − 1/|S| si i = j y −1/|S| si "
        "no. Fuera, cero.",
        "Multiplicar por esa matriz es restar a cada g del soporte la media de los g del soporte. "
        "Lo de fuera recibe cero.",
    ),
)


def _inside(weights, grad):
    return [g for p, g in zip(weights, grad, strict=True) if p > 0]


def _through(weights, grad):
    inside = _inside(weights, grad)
    average = sum(inside) / len(inside)
    return [float(g - average) if p > 0 else 0.0 for p, g in zip(weights, grad, strict=True)]


def _through_softmax(weights, grad):
    average = sum(p * g for p, g in zip(weights, grad, strict=True))
    return [p * (g - average) for p, g in zip(weights, grad, strict=True)]


def _task(weights, grad) -> Task:
    everything = sum(grad) / len(grad)
    support_mean = sum(_inside(weights, grad)) / len(_inside(weights, grad))
    return Task(
        function="sparsemax_gradient",
        cases=(Case("las cuatro posiciones", lambda: ()),),
        reference=lambda: _through(weights, grad),
        mistakes=(
            Mistake(
                "softmax",
                "has usado el jacobiano del softmax, p(g − pᵀg): el de la sparsemax no depende de "
                "cuánto pesa cada posición, solo de si está en el soporte",
                (lambda: _through_softmax(weights, grad),),
            ),
            Mistake(
                "media-de-todas",
                "has restado la media de las cuatro: se resta la del soporte, y lo de fuera recibe "
                "cero",
                (
                    lambda: [g - everything for g in grad],
                    lambda: [
                        g - everything if p > 0 else 0.0 for p, g in zip(weights, grad, strict=True)
                    ],
                ),
            ),
            Mistake(
                "fuera-tambien",
                "la posición que pesa cero está fuera del soporte: mover un poco su puntaje no "
                "cambia ningún peso",
                (lambda: [g - support_mean for g in grad],),
            ),
            Mistake(
                "sin-restar",
                "has dejado pasar el gradiente entero en el soporte: subir un puntaje también baja "
                "los demás pesos, y por eso se resta la media",
                (lambda: [g if p > 0 else 0.0 for p, g in zip(weights, grad, strict=True)],),
            ),
        ),
        tolerance=6e-3,
        differentiable=False,
        reveals=False,
    )


def _tex(values) -> str:
    return r";\ ".join(map(tex_comma, values))


def _draw(random: Random) -> Variant:
    """Otro reparto, con tres o dos posiciones en el soporte, y otro gradiente de media exacta."""
    tenths = random.choice(((6, 4, 0, 0), (7, 3, 0, 0), (5, 4, 1, 0), (6, 3, 1, 0), (4, 3, 3, 0)))
    weights = tuple(number / 10 for number in tenths)
    size = sum(number > 0 for number in tenths)
    while True:
        grad = tuple(random.sample(range(-6, 10), 4))
        total, average = sum(grad[:size]), sum(grad) / 4
        if 0 in (average, *grad) or total % size or total / size in (0, average):
            continue
        if _through(weights, grad) != _through(WEIGHTS, GRAD):
            break
    changes = (
        (f"p = ({_tex(WEIGHTS)})", f"p = ({_tex(weights)})"),
        (f"g = ({_tex(GRAD)})", f"g = ({_tex(grad)})"),
    )
    return Variant(Exercise(CARD, _task(weights, grad)), changes)


JACOBIAN = Exercise(CARD, _task(WEIGHTS, GRAD), _draw)
