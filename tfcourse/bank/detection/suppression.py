"""Ejercicio abierto: ¿le hace falta a DETR quitar las cajas repetidas?"""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _alike(a, b):
    sides = [max(0.0, min(a[i + 2], b[i + 2]) - max(a[i], b[i])) for i in (0, 1)]
    common = sides[0] * sides[1]
    areas = [(x[2] - x[0]) * (x[3] - x[1]) for x in (a, b)]
    return common / (sum(areas) - common)


def _recursive(boxes, scores, threshold):
    """La mejor se queda, tacha a las que se le parecen, y vuelta a empezar con el resto."""
    left = list(range(len(boxes)))

    def choose(left):
        if not left:
            return []
        best = max(left, key=lambda i: scores[i])
        rest = [i for i in left if i != best and _alike(boxes[i], boxes[best]) <= threshold]
        return [best, *choose(rest)]

    return choose(left)


def _variant(
    reverse=True, against_all=False, keep_alike=False, ordered=True, once=False, bar=False
):
    def suppress(boxes, scores, threshold):
        order = sorted(range(len(boxes)), key=lambda i: scores[i], reverse=reverse)
        kept, seen = [], []
        for i in order:
            rivals = seen if against_all else kept[:1] if once else kept
            notes = [_alike(boxes[i], boxes[j]) for j in rivals]
            alike = any(note > threshold or (bar and note == threshold) for note in notes)
            if alike == keep_alike or not seen:
                kept.append(i)
            seen.append(i)
        return kept if ordered else sorted(kept)

    return suppress


def _case(boxes, scores, threshold=0.5):
    return lambda: ([list(map(float, box)) for box in boxes], list(scores), threshold)


def _random_case(seed):
    """Tres objetos lejos unos de otros, con tres cajas cada uno, corridas más o menos.

    Corrida d de sus 20 de ancho, la IoU es (20 − d)/(20 + d): con d entero nunca vale el umbral.
    """

    def make():
        random = chance(seed)
        boxes = [
            (left, top, left + 20, top + 20)
            for top in (0, 40, 80)
            for left in random.sample(range(16), 3)
        ]
        scores = [score / 100 for score in random.sample(range(5, 100), len(boxes))]
        return _case(random.sample(boxes, len(boxes)), scores)()

    return make


CHAIN = [(0, 0, 10, 10), (3, 0, 13, 10), (6, 0, 16, 10)]  # cada una se parece a la siguiente
TWO = [(0, 0, 4, 4), (20, 20, 26, 26), (1, 0, 5, 4), (20, 21, 26, 27), (50, 50, 52, 52)]

SUPPRESSION = Exercise(
    Card(
        id="quitar-repetidas",
        title="¿Hace falta quitar las repetidas?",
        kind="abierto",
        difficulty=3,
        minutes=65,
        points=2,
        manual_points=8,
        objective="medir si un detector de conjuntos necesita la supresión de no máximos",
        hints=(
            "Dos funciones: la IoU de dos cajas y el recorrido. En la IoU, el lado común no puede "
            "ser negativo.",
            "Ordena los números de las cajas, no las cajas: `sorted(range(len(boxes)), key=…)`.",
            "Lleva la lista de las que se quedan; la siguiente entra si `all(…)` sus parecidos con "
            "las de esa lista caben en el umbral. Las que no entran no se guardan en ningún sitio.",
        ),
    ),
    Task(
        function="suppress",
        cases=(
            Case("una cadena de tres", _case(CHAIN, (0.9, 0.8, 0.7))),
            Case("dos objetos con repetidas", _case(TWO, (0.6, 0.9, 0.95, 0.5, 0.2))),
            Case("otra cadena, de menos a más", _case(CHAIN, (0.5, 0.7, 0.6))),
            Case("umbral más flojo", _case(TWO, (0.6, 0.9, 0.95, 0.5, 0.2), 0.8)),
            Case("ninguna caja", _case((), ())),
            Case(
                "se tocan sin pisarse",
                _case([(0, 0, 10, 10), (10, 0, 20, 10), (0, 10, 10, 20)], (0.9, 0.8, 0.7), 0.01),
            ),
            Case("justo en el umbral", _case([(0, 0, 2, 1), (0, 0, 1, 1)], (0.8, 0.9))),
            Case("tres objetos al azar", _random_case(0)),
            Case("otros tres objetos al azar", _random_case(1)),
            example([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]], [0.4, 0.9], 0.5, in_words=True),
        ),
        reference=_recursive,
        mistakes=(
            Mistake(
                "de-menos-a-mas",
                "has empezado por las menos seguras: así se queda la peor de cada grupo",
                (_variant(reverse=False),),
            ),
            Mistake(
                "tachan-las-tachadas",
                "has comparado también con las tachadas: una caja tachada ya no cuenta",
                (_variant(against_all=True),),
            ),
            Mistake(
                "al-contrario",
                "te has quedado con las repetidas: se quitan las que se parecen demasiado",
                (_variant(keep_alike=True),),
            ),
            Mistake(
                "en-otro-orden",
                "son las correctas, pero en otro orden: devuélvelas de más a menos confianza",
                (_variant(ordered=False),),
            ),
            Mistake(
                "justo-en-el-umbral",
                "has quitado las que se parecen justo `threshold`: se quitan las que lo pasan",
                (_variant(bar=True),),
            ),
            Mistake(
                "solo-la-primera",
                "has comparado solo con la más segura: compara con todas las que se quedan",
                (_variant(once=True),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
