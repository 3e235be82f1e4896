"""Ejercicio abierto: ¿qué se gana y qué se repite al leer varias veces la misma escena?"""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_counting(hits):
    """De cada objeto señalado, todas las veces menos una."""
    return sum(hits.count(thing) - 1 for thing in set(hits) if thing >= 0)


def _variant(kind):
    def repeated(hits):
        real = [thing for thing in hits if thing >= 0]
        return {
            "con-las-malas": len(hits) - len(set(hits)),
            "todas-las-del-grupo": sum(real.count(thing) > 1 for thing in real),
            "objetos": sum(real.count(thing) > 1 for thing in set(real)),
            "las-malas": hits.count(-1),
            "distintos": len(set(real)),
            "seguidas": sum(a == b >= 0 for a, b in zip(hits, hits[1:], strict=False)),
        }[kind]

    return repeated


def _case(*hits):
    return lambda: (list(hits),)


def _random_case(seed):
    """Muchas detecciones de una docena de objetos, o de ninguno."""

    def make():
        random = chance(seed)
        return ([random.randint(-1, 11) for _ in range(random.randint(20, 60))],)

    return make


REPEATED = Exercise(
    Card(
        id="leer-varias-veces",
        title="Leer dos veces la misma escena",
        kind="abierto",
        difficulty=3,
        minutes=65,
        points=2,
        manual_points=8,
        objective="medir qué gana y qué repite un detector que lee la misma escena varias veces",
        hints=(
            "Una detección que no señala a nadie, −1, no repite nada.",
            "Si tres señalan al mismo objeto, una es buena y dos repiten.",
            "No importa si van seguidas.",
        ),
    ),
    Task(
        function="repeated",
        cases=(
            Case("dos repiten", _case(0, 1, 0, 2, 0, -1)),
            Case("varios fallos", _case(-1, -1, 3, 3, -1)),
            Case("ninguna repite", _case(2, 0, 1)),
            Case("dos grupos", _case(1, 1, 0, 0, 0, -1, -1, 2)),
            Case("nada escrito", _case()),
            Case("una lista larga al azar", _random_case(0)),
            Case("otra lista larga al azar", _random_case(1)),
            example([0, 1, 0, -1]),
        ),
        reference=_by_counting,
        mistakes=(
            Mistake(
                "con-las-malas",
                "has contado los −1 como si señalaran un objeto: no señalan a nadie",
                (_variant("con-las-malas"),),
            ),
            Mistake(
                "todas-las-del-grupo",
                "de las que señalan el mismo objeto, la primera es buena: solo repiten las demás",
                (_variant("todas-las-del-grupo"),),
            ),
            Mistake(
                "objetos",
                "has contado objetos repetidos; se piden las detecciones de más",
                (_variant("objetos"),),
            ),
            Mistake(
                "las-malas",
                "esas son las que no señalan a nadie; se piden las que repiten",
                (_variant("las-malas"),),
            ),
            Mistake(
                "seguidas",
                "dos repetidas no tienen por qué ir seguidas",
                (_variant("seguidas"),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
