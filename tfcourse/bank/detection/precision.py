"""Ejercicio de código: la precisión media de una lista de detecciones."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_steps(hits, n_objects):
    """Cada acierto aporta 1/n por la mejor precisión que se alcanza desde él."""
    precision = [sum(hits[: i + 1]) / (i + 1) for i in range(len(hits))]
    return sum(max(precision[i:]) for i, hit in enumerate(hits) if hit) / n_objects


def _variant(envelope=True, over_found=False, mean_all=False, last=False, backwards=False):
    def average(hits, n_objects):
        right, precision = 0, []
        for i, hit in enumerate(hits, start=1):
            right += hit
            precision.append(right / i)
        if last:
            return precision[-1]
        if mean_all:
            return sum(precision) / len(precision)
        points = []
        for i, hit in enumerate(hits):
            if hit:
                some = precision[: i + 1] if backwards else precision[i:]
                points.append(max(some) if envelope else precision[i])
        total = len(points) if over_found else n_objects
        return sum(points) / total if total else 0.0

    return average


def _case(hits, n_objects):
    return lambda: ([int(mark == "x") for mark in hits], n_objects)


def _random_case(seed, length):
    """Una lista con aciertos y fallos en cualquier orden; algún objeto no se encuentra."""

    def make():
        random = chance(seed)
        right = random.randint(3, length - 3)
        hits = [1] * right + [0] * (length - right)
        return random.sample(hits, length), right + random.randint(1, 4)

    return make


PRECISION = Exercise(
    Card(
        id="precision-media",
        title="La precisión media",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="resumir una lista de aciertos y fallos en un área",
        hints=(
            "La precisión tras i detecciones es cuántas de ellas son buenas entre i.",
            "La exhaustividad solo sube en los aciertos, y sube 1/n_objects en cada uno.",
            "En cada acierto se toma la mejor precisión **desde él hasta el final**; se suman y se "
            "divide entre los objetos que hay, también los que no se encontraron.",
        ),
    ),
    Task(
        function="average_precision",
        cases=(
            Case("dos fallos por medio", _case("xx.x.", 4)),
            Case("empieza fallando", _case(".xxx", 3)),
            Case("la precisión sube al final", _case("x..xxx", 5)),
            Case("faltan objetos", _case("xx", 8)),
            Case("ninguna buena", _case("...", 3)),
            Case("todas buenas", _case("xxx", 3)),
            Case("una lista al azar", _random_case(0, 9)),
            Case("otra lista al azar, más larga", _random_case(1, 14)),
            example([0, 1], 2),
        ),
        reference=_by_steps,
        mistakes=(
            Mistake(
                "sin-envolvente",
                "has tomado la precisión de cada acierto: se toma la mejor desde él hasta el final",
                (_variant(envelope=False),),
            ),
            Mistake(
                "entre-los-encontrados",
                "has dividido entre los objetos encontrados: los que faltan también cuentan",
                (_variant(over_found=True), _variant(over_found=True, envelope=False)),
            ),
            Mistake(
                "media-de-todas",
                "has hecho la media de las precisiones de todas las detecciones: solo cuentan las "
                "de los aciertos, y se divide entre los objetos",
                (_variant(mean_all=True),),
            ),
            Mistake(
                "la-ultima",
                "has dado la precisión final: la precisión media recorre toda la lista",
                (_variant(last=True),),
            ),
            Mistake(
                "hacia-atras",
                "has buscado la mejor precisión anterior: se mira desde el acierto hasta el final",
                (_variant(backwards=True),),
            ),
        ),
        differentiable=False,
    ),
)
