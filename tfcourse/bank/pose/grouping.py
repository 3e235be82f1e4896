"""Ejercicio de código: repartir los puntos de una imagen en figuras por su etiqueta."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _reference(points, max_apart):
    """Una lista de grupos, cada uno con sus etiquetas y sus articulaciones."""
    groups, labels = [], []
    for joint, tag in points:
        ranking = sorted(
            (abs(tag - sum(tags) / len(tags)), number)
            for number, (tags, joints) in enumerate(groups)
            if joint not in joints
        )
        if ranking and ranking[0][0] < max_apart:
            number = ranking[0][1]
        else:
            number = len(groups)
            groups.append(([], set()))
        groups[number][0].append(tag)
        groups[number][1].add(joint)
        labels.append(number)
    return labels


def _halfway(tags):
    """La media de la media que había y la etiqueta nueva: la última pesa la mitad."""
    middle = tags[0]
    for tag in tags[1:]:
        middle = (middle + tag) / 2
    return middle


def _variant(once=True, limit=True, nearest=True, center="media", start=0, signed=False, bar=False):
    def group(points, max_apart):
        tags, joints, labels = [], [], []
        for joint, tag in points:
            options = []
            for number, some in enumerate(tags):
                if once and joint in joints[number]:
                    continue
                middle = {
                    "media": sum(some) / len(some), "primera": some[0], "última": some[-1],
                    "a medias": _halfway(some),
                }  # fmt: skip
                apart = tag - middle[center]
                apart = apart if signed else abs(apart)
                if not limit or apart < max_apart or (bar and apart == max_apart):
                    options.append((apart, number))
            if options:
                number = min(options)[1] if nearest else options[0][1]
            else:
                number = len(tags)
                tags.append([])
                joints.append(set())
            tags[number].append(tag)
            joints[number].add(joint)
            labels.append(number + start)
        return labels

    return group


def _case(points, max_apart=1.0):
    return lambda: ([tuple(point) for point in points], max_apart)


def _random_case(n_figures, n_joints, apart, noise, seed):
    """Figuras de etiquetas separadas unas de otras `apart`, con sus puntos en cualquier orden."""

    def make():
        random = chance(seed)
        points = [
            (joint, apart * figure + random.uniform(-noise, noise))
            for figure in range(n_figures)
            for joint in range(n_joints)
        ]
        return random.sample(points, len(points)), 1.0

    return make


TWO = [(0, 0.1), (0, 3.0), (1, 2.8), (1, 0.3), (2, 0.2), (2, 3.3)]
DRIFT = [(0, 0.0), (1, 0.8), (2, 1.3), (3, 1.55)]  # la media se mueve, y la primera no
CLOSE = [(0, 0.0), (0, 0.9), (1, 0.8), (1, 0.2)]
TWICE = [(0, 1.0), (0, 1.2), (1, 1.1), (1, 1.15), (2, 1.3)]
BACK = [(0, 5.0), (1, 1.0), (2, 4.6), (3, 0.9), (4, 9.0)]
STEPS = [(0, 0.0), (1, 0.9), (2, 1.7), (3, 0.1)]
THIRD = [(0, 0.0), (1, 0.0), (2, 0.9), (3, 1.35)]  # la media de tres no es la de dos y otra
EDGE = [(0, 0.0), (1, 1.0), (2, 0.5), (3, -0.5)]

GROUPING = Exercise(
    Card(
        id="agrupar-por-etiqueta",
        title="Agrupar por etiqueta",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=3,
        objective="reconstruir las figuras de una imagen a partir de puntos con etiqueta",
        hints=(
            "Lleva una lista de grupos; de cada uno, sus etiquetas y qué articulaciones tiene ya.",
            "Un punto solo puede ir a un grupo que aún no tenga esa articulación; entre ellos, "
            "al de "
            "etiqueta media más cercana.",
            "Si el más cercano está a `max_apart` o más, o no hay ninguno, el punto abre un grupo.",
        ),
    ),
    Task(
        function="group_points",
        cases=(
            Case("dos figuras separadas", _case(TWO)),
            Case("la media se mueve", _case(DRIFT)),
            Case("dos muy parecidas", _case(CLOSE)),
            Case("la misma articulación dos veces", _case(TWICE)),
            Case("etiquetas que bajan", _case(BACK)),
            Case("de paso en paso", _case(STEPS)),
            Case("la media de tres", _case(THIRD)),
            Case("justo a la distancia máxima", _case(EDGE)),
            Case("ningún punto", _case([])),
            Case("tres figuras al azar", _random_case(3, 4, apart=3.0, noise=0.4, seed=1)),
            Case("cuatro muy juntas", _random_case(4, 4, apart=0.7, noise=0.3, seed=2)),
            example([(0, 0.1), (0, 3.0), (1, 2.8)], 1.0),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "articulacion-repetida",
                "has dado a una figura dos veces la misma articulación: si ya la tiene, no es "
                "candidata",
                (_variant(once=False),),
            ),
            Mistake(
                "sin-limite",
                "has dado cada punto al grupo más cercano aunque esté lejos: a `max_apart` o más "
                "se "
                "abre otro",
                (_variant(limit=False),),
            ),
            Mistake(
                "el-primero-que-vale",
                "te has quedado con el primer grupo a menos de `max_apart`: es el más cercano",
                (_variant(nearest=False),),
            ),
            Mistake(
                "la-primera-etiqueta",
                "has comparado con la primera etiqueta del grupo: se compara con la media",
                (_variant(center="primera"),),
            ),
            Mistake(
                "la-ultima-etiqueta",
                "has comparado con la última etiqueta del grupo: se compara con la media",
                (_variant(center="última"),),
            ),
            Mistake(
                "media-a-medias",
                "al llegar un punto has hecho la media de la media anterior y su etiqueta: así la "
                "última pesa la mitad. Todas las del grupo pesan lo mismo",
                (_variant(center="a medias"),),
            ),
            Mistake(
                "justo-en-el-limite",
                "a una distancia igual a `max_apart` ya son figuras distintas: tiene que ser menor",
                (_variant(bar=True),),
            ),
            Mistake(
                "sin-valor-absoluto",
                "has restado sin valor absoluto: una etiqueta mucho menor tampoco se parece",
                (_variant(signed=True),),
            ),
            Mistake(
                "desde-uno", "has numerado desde 1: el primer grupo es el 0", (_variant(start=1),)
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
