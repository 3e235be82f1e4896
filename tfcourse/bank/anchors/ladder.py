"""Ejercicio abierto: ¿qué sobra en el detector con anclas?"""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(before, after):
    total, better, common = 0.0, 0, 0
    for seed in before:
        if seed in after:
            difference = after[seed] - before[seed]
            total, better, common = total + difference, better + (difference > 0), common + 1
    return total / common, better, common


def _of_means(before, after):
    """La diferencia de las medias, con las semillas que tenga cada uno."""
    means = [sum(found.values()) / len(found) for found in (before, after)]
    return means[1] - means[0], *_by_loops(before, after)[1:]


def _by_place(before, after):
    """Emparejadas por el orden en que vienen, y no por la semilla."""
    pairs = list(zip(before.values(), after.values(), strict=False))
    differences = [b - a for a, b in pairs]
    better = sum(d > 0 for d in differences)
    return sum(differences) / len(differences), better, len(differences)


def _backwards(before, after):
    mean, _, common = _by_loops(before, after)
    return -mean, _falling(before, after), common


def _falling(before, after):
    return sum(after[seed] < before[seed] for seed in before if seed in after)


def _losers(before, after):
    mean, better, common = _by_loops(before, after)
    return mean, common - better, common


def _only_falling(before, after):
    mean, _, common = _by_loops(before, after)
    return mean, _falling(before, after), common


def _every_seed(before, after):
    mean, better, _ = _by_loops(before, after)
    return mean, better, len(before.keys() | after.keys())


def _case(first, second, seed):
    """Las semillas de cada receta, en su orden, con una precisión media cualquiera."""

    def make():
        random = chance(seed)
        return tuple({s: round(random.uniform(0.2, 0.9), 3) for s in found}
                     for found in (first, second))  # fmt: skip

    return make


LADDER = Exercise(
    Card(
        id="que-sobra",
        title="¿Qué sobra?",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="decidir, con diferencias emparejadas, si un añadido se puede quitar",
        hints=(
            "Para la primera parte: recorre las semillas de una receta y quédate con las que "
            "también están en la otra.",
            "Se empareja por la semilla, que es la clave, y no por el lugar en que viene.",
            "Para el experimento: con pocos pasos se ve quién arranca, y con muchos, quién llega. "
            "¿Tiene que sobrar lo mismo en los dos casos?",
        ),
    ),
    Task(
        function="paired_reading",
        cases=(
            Case("en otro orden", _case((0, 1, 2), (2, 0, 1), 0)),
            Case("una semilla sin pareja", _case((0, 1, 2, 3), (3, 1, 0), 1)),
            Case("cada una con la suya de más", _case((4, 0, 1, 2), (1, 5, 2, 0), 2)),
            Case("cinco semillas", _case((0, 1, 2, 3, 4), (4, 3, 2, 1, 0), 3)),
            Case("una que no cambia", lambda: ({0: 0.5, 1: 0.4, 2: 0.3}, {0: 0.5, 1: 0.6, 2: 0.2})),
            example({0: 0.5, 1: 0.6}, {1: 0.5, 0: 0.7, 2: 0.9}),
        ),
        reference=_by_loops,
        outputs=("la diferencia media", "las semillas que suben", "las comparadas"),
        mistakes=(
            Mistake(
                "por-el-lugar",
                "has emparejado por el orden en que vienen: la pareja es la de la misma semilla",
                (_by_place,),
            ),
            Mistake(
                "diferencia-de-medias",
                "has restado las medias de todas: solo cuentan las semillas que están en las dos",
                (_of_means,),
            ),
            Mistake(
                "al-reves",
                "has restado al revés: es después menos antes",
                (_backwards,),
            ),
            Mistake(
                "cuenta-las-que-bajan",
                "has contado las semillas que bajan: se piden las que suben",
                (_losers, _only_falling),
            ),
            Mistake(
                "cuenta-las-sueltas",
                "has contado también las semillas sin pareja",
                (_every_seed,),
            ),
        ),
        differentiable=False,
    ),
)
