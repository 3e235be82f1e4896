"""Ejercicio abierto: cuánto de lo que acierta un modelo se debe a mirar la imagen."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

WORDS = ("rojo", "verde", "sí", "no", "una", "dos")


def _kind_by_kind(kinds, wanted, seeing, elsewhere):
    """Con un diccionario de cuentas por clase."""
    counts: dict = {}
    for kind, right, own, other in zip(kinds, wanted, seeing, elsewhere, strict=True):
        n, gained = counts.get(kind, (0, 0))
        counts[kind] = (n + 1, gained + (own == right) - (other == right))
    return sum(gained / n for n, gained in counts.values()) / len(counts)


def _all_together(kinds, wanted, seeing, elsewhere):
    """Sin separar las clases."""
    return _kind_by_kind([0] * len(kinds), wanted, seeing, elsewhere)


def _only_seeing(kinds, wanted, seeing, elsewhere):
    """Sin restar nada."""
    return _kind_by_kind(kinds, wanted, seeing, [None] * len(wanted))


def _turned(kinds, wanted, seeing, elsewhere):
    """Lo que se pierde, en lugar de lo que se gana."""
    return -_kind_by_kind(kinds, wanted, seeing, elsewhere)


def _changed(kinds, wanted, seeing, elsewhere):
    """En qué parte cambia la respuesta, acierte o no."""
    different = ["otra" if own != other else "igual"
                 for own, other in zip(seeing, elsewhere, strict=True)]  # fmt: skip
    return _kind_by_kind(kinds, ["otra"] * len(kinds), different, [None] * len(kinds))


def _relative(kinds, wanted, seeing, elsewhere):
    """Dividido entre lo que se acierta mirando."""
    right = _only_seeing(kinds, wanted, seeing, elsewhere)
    return _kind_by_kind(kinds, wanted, seeing, elsewhere) / right if right else 0.0


def _case(n, seed, uneven=1):
    def make():
        random = chance(seed)
        kinds = [random.choice(("color", *["sí o no"] * uneven, "cuántas")) for _ in range(n)]
        kinds[:3] = ["color", "sí o no", "cuántas"]
        wanted = [random.choice(WORDS) for _ in range(n)]
        seeing = [w if random.random() < 0.7 else random.choice(WORDS) for w in wanted]
        elsewhere = [w if random.random() < 0.4 else random.choice(WORDS) for w in wanted]
        return kinds, wanted, seeing, elsewhere

    return make


LOOKING = Exercise(
    Card(
        id="mira-o-adivina",
        title="¿Mira o adivina?",
        kind="abierto",
        difficulty=3,
        minutes=45,
        points=2,
        manual_points=8,
        objective="medir cuánto de lo que acierta un modelo se debe a mirar la imagen",
        hints=(
            "De cada pregunta hay dos respuestas: con su imagen y con la de otra. La diferencia de "
            "aciertos es lo que se gana por mirar la que toca.",
            "Primero la diferencia dentro de cada clase de pregunta y, después, la media de las "
            "clases: así no manda la que más se repite.",
            "Para el diseño: el modelo del curso ya está entrenado; estropear las imágenes o "
            "cambiarlas de sitio cuesta segundos.",
        ),
    ),
    Task(
        function="looking_gain",
        cases=(
            Case("30 preguntas de tres clases", _case(30, 0)),
            Case("60 preguntas, una clase mucho más común", _case(60, 1, uneven=6)),
            Case("12 preguntas", _case(12, 2)),
            example(
                ["color", "color", "sí o no"], ["rojo", "azul", "sí"],
                ["rojo", "azul", "sí"], ["rojo", "verde", "no"],
            ),
        ),
        reference=_kind_by_kind,
        mistakes=(
            Mistake(
                "todas-juntas",
                "has juntado todas las preguntas: primero se calcula en cada clase y después se "
                "hace la media de las clases",
                (_all_together,),
            ),
            Mistake(
                "sin-restar",
                "eso es lo que acierta mirando: falta restar lo que acierta con la imagen de otra",
                (_only_seeing,),
            ),
            Mistake("al-reves", "has restado al revés: sale lo que se pierde", (_turned,)),
            Mistake(
                "cambiar-no-es-acertar",
                "eso es en qué parte cambia la respuesta: cuenta los aciertos",
                (_changed,),
            ),
            Mistake(
                "relativo",
                "has dividido entre el acierto mirando: se pide la diferencia",
                (_relative,),
            ),
        ),
        differentiable=False,
    ),
)  # fmt: skip
