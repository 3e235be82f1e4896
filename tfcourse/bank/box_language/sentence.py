"""Ejercicio de código: encontrar los tres fallos de quien escribe una escena como una frase."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _by_counting(boxes, classes, n_bins):
    """La marca de cada borde, buscando la más cercana entre todas."""
    marks = [k / (n_bins - 1) for k in range(n_bins)]
    words = []
    for (x1, y1, x2, y2), kind in zip(boxes, classes, strict=True):
        for edge in (y1, x1, y2, x2):
            words.append(min(range(n_bins), key=lambda k: abs(marks[k] - edge)))
        words.append(n_bins + kind)
    return words


def _variant(down=False, gaps=False, turned=False, *, shift=True, first=False, size=False):
    """La escena escrita con algún cambio; los tres primeros son los fallos del enunciado."""

    def write_scene(boxes, classes, n_bins):
        order = (0, 1, 2, 3) if turned else (1, 0, 3, 2)
        cut = int if down else round
        words = []
        for box, kind in zip(boxes, classes, strict=True):
            if size:
                box = (box[0], box[1], box[2] - box[0], box[3] - box[1])
            four = [cut(box[i] * (n_bins if gaps else n_bins - 1)) for i in order]
            label = [kind + n_bins * shift]
            words += label + four if first else four + label
        return words

    return write_scene


FAULTS = {
    "abajo": "`int` corta los decimales, siempre hacia el mismo lado: la marca más cercana se "
    "busca redondeando",
    "huecos": "entre n marcas hay n − 1 huecos: multiplicando por n, un borde en 1 se sale de la "
    "regla y escribe la primera clase",
    "girada": "la x va delante de la y: el orden es y₁, x₁, y₂, x₂",
}


def _case(boxes, classes, n_bins):
    return lambda: ([list(box) for box in boxes], list(classes), n_bins)


def _random_case(seed, n_objects):
    """Cajas con cada borde cerca de una marca, para que no dude entre dos."""

    def make():
        random = chance(seed)
        n_bins = random.randint(11, 65)

        def side():
            marks = sorted(random.sample(range(1, n_bins - 1), 2))
            return [(mark + random.choice((-0.3, -0.1, 0.1, 0.3))) / (n_bins - 1) for mark in marks]

        boxes = []
        for _ in range(n_objects):
            (x1, x2), (y1, y2) = side(), side()
            boxes.append([round(edge, 4) for edge in (x1, y1, x2, y2)])
        return boxes, [random.randrange(5) for _ in boxes], n_bins

    return make


ONE = ((0.12, 0.33, 0.48, 0.71),)
TWO = ((0.0, 0.26, 0.52, 1.0), (0.61, 0.07, 0.93, 0.38))

SENTENCE = Exercise(
    Card(
        id="fallos-al-escribir-una-escena",
        title="Una escena mal escrita",
        kind="codigo",
        difficulty=1,
        minutes=12,
        points=2,
        objective="encontrar los fallos de quien pasa cajas a palabras, por cómo se leen después",
        hints=(
            "Escribe una caja que conozcas, vuelve a leerla y compara borde a borde: una que "
            "llegue hasta 1, una muy ancha y baja, y una con un borde a 0,9 huecos de una marca.",
            "Con 11 marcas hay 10 huecos. ¿Qué marca le toca al borde 1? ¿Y qué palabra viene "
            "detrás de la última marca?",
            "Redondea, multiplica por n_bins − 1 y empieza por la vertical.",
        ),
    ),
    Task(
        function="write_scene",
        cases=(
            Case("un objeto", _case(ONE, (2,), 11)),
            Case("dos objetos", _case(TWO, (0, 3), 21)),
            Case("una regla fina", _case(TWO, (1, 1), 65)),
            Case("la imagen entera", _case(((0.0, 0.0, 1.0, 1.0),), (0,), 5)),
            Case("ninguno", _case((), (), 65)),
            Case("dos objetos al azar", _random_case(0, 2)),
            Case("cinco objetos al azar", _random_case(1, 5)),
            example([[0.1, 0.29, 0.5, 1.0]], [3], 11),
        ),
        reference=_by_counting,
        mistakes=(
            *combined(FAULTS, _variant),
            Mistake(
                "clase-sin-mover",
                "la clase c es la palabra n_bins + c: las primeras son las coordenadas",
                (_variant(shift=False),),
            ),
            Mistake(
                "clase-delante",
                "la clase va detrás de las cuatro coordenadas de su objeto",
                (_variant(first=True),),
            ),
            Mistake(
                "con-tamanos",
                "las dos últimas coordenadas son dónde acaba la caja, no cuánto mide",
                (_variant(size=True),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
