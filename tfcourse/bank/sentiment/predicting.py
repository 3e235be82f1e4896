"""Ejercicio para comprender: qué reparten la tangente y la integral cuando una palabra niega."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Negated:
    """f(n, o) = a·o − b·n·o: la opinión vale `a`, y con un «no» delante, `a − b`."""

    a: int
    b: int

    def answer(self, **changes):
        values = {
            "tangente_no": -self.b,
            "tangente_opinion": self.a - self.b,
            "integral_no": -self.b / 2,
            "integral_opinion": self.a - self.b / 2,
        }
        return lambda: values | changes


SHARE_CARD = Card(
    id="cuanto-puso-el-no",
    title="¿Cuánto puso el «no»?",
    kind="comprender",
    difficulty=2,
    minutes=12,
    points=2,
    objective="predecir qué reparten la tangente y la integral cuando dos palabras se multiplican",
    hints=(
        "Deriva f respecto de cada entrada y multiplica por la entrada, que aquí vale 1.",
        "En el punto t del camino, las dos entradas valen t: escribe ahí las derivadas.",
        "La media de t entre 0 y 1 es 1/2. Comprueba la completitud: lo que reparte la integral "
        "suma f(1, 1).",
    ),
)


def _mistakes(model: _Negated) -> tuple[Mistake, ...]:
    a, b = model.a, model.b
    return (
        Mistake(
            "integral-como-tangente",
            "la integral no es la derivada del final: es su media por todo el camino",
            (model.answer(integral_no=-b, integral_opinion=a - b),),
        ),
        Mistake(
            "todo-al-no",
            "has dado al «no» todo el cambio: las dos palabras hacían falta y la integral lo "
            "reparte a medias",
            (model.answer(integral_no=-b, integral_opinion=a),),
        ),
        Mistake(
            "tangente-a-medias",
            "la tangente solo mira el final, y no reparte nada a medias: mira si suma f(1, 1)",
            (model.answer(tangente_no=-b / 2, tangente_opinion=a - b / 2),),
        ),
        Mistake(
            "signo",
            "el «no» resta: su derivada es negativa",
            (model.answer(tangente_no=b, integral_no=b / 2),),
        ),
    )


def _task(model: _Negated) -> Task:
    return Task(
        function="shares",
        cases=(Case("la función del enunciado", lambda: ()),),
        reference=model.answer(),
        mistakes=_mistakes(model),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra opinión y otra negación, en la que el «no» le da la vuelta."""
    model = PUBLISHED
    while model == PUBLISHED:
        a = random.randint(2, 19)
        model = _Negated(a, a + random.randint(1, 12))
    changes = (("$f(n, o) = 3\\,o - 5\\,n\\,o$", f"$f(n, o) = {model.a}\\,o - {model.b}\\,n\\,o$"),)
    return Variant(Exercise(SHARE_CARD, _task(model)), changes)


PUBLISHED = _Negated(a=3, b=5)
SHARE = Exercise(SHARE_CARD, _task(PUBLISHED), _draw)
