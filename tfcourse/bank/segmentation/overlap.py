"""Ejercicio de código: la IoU media de un mapa de clases."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _counts(predicted, real, kind):
    common = said = there = 0
    for ours, true in zip(predicted, real, strict=True):
        said += ours == kind
        there += true == kind
        common += ours == true == kind
    return common, said, there


def _reference(predicted, real, n_classes):
    values = []
    for kind in range(n_classes):
        common, said, there = _counts(predicted, real, kind)
        if said + there:
            values.append(common / (said + there - common))
    return sum(values) / len(values)


def _by_class(formula, skip_absent=True):
    def mean(predicted, real, n_classes):
        values = []
        for kind in range(n_classes):
            common, said, there = _counts(predicted, real, kind)
            if said + there:
                values.append(formula(common, said, there))
            elif not skip_absent:
                values.append(0.0)
        return sum(values) / len(values)

    return mean


def _iou(common, said, there):
    return common / (said + there - common)


def _accuracy(predicted, real, n_classes):
    return sum(a == b for a, b in zip(predicted, real, strict=True)) / len(real)


def _only_present(predicted, real, n_classes):
    values = [_iou(*_counts(predicted, real, kind)) for kind in sorted(set(real))]
    return sum(values) / len(values)


def _case(predicted, real, n_classes):
    return lambda: ([int(k) for k in predicted], [int(k) for k in real], n_classes)


def _random_case(length, n_classes, seed):
    """Un mapa al azar y otro que se le parece: en cada punto, lo normal es acertar."""

    def make():
        random = chance(seed)
        real = random.choices(range(n_classes), k=length)
        predicted = [k if random.random() < 0.7 else random.randrange(n_classes) for k in real]
        return predicted, real, n_classes

    return make


MEAN_IOU = Exercise(
    Card(
        id="iou-media",
        title="La IoU media",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="medir un mapa de clases sin que las grandes tapen a las pequeñas",
        hints=(
            "Por cada clase hacen falta tres cuentas: los puntos en que se dice, en los que está y "
            "en los que coinciden.",
            "La unión es lo dicho más lo que hay menos lo común, que se ha contado dos veces.",
            "La clase que ni se dice ni está no cuenta; la que se dice sin estar vale 0.",
        ),
    ),
    Task(
        function="mean_iou",
        cases=(
            Case("dos clases", _case("0011", "0111", 2)),
            Case("una clase que no aparece", _case("001133", "001333", 4)),
            Case("una clase que se dice y no está", _case("0021", "0011", 3)),
            Case("una clase grande y una pequeña", _case("0000000000", "0000000011", 2)),
            Case("todo bien", _case("0122", "0122", 3)),
            Case("un mapa al azar", _random_case(15, 4, seed=1)),
            Case("otro con más clases que puntos", _random_case(9, 12, seed=2)),
            example([0, 0, 1, 1], [0, 1, 1, 1], 2, in_words=True),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "acierto-por-punto",
                "eso es la parte de los puntos acertados: la clase más grande manda; mide cada "
                "clase y haz la media",
                (_accuracy,),
            ),
            Mistake(
                "ausentes-a-cero",
                "una clase que ni se dice ni está no cuenta: no la pongas a cero",
                (_by_class(_iou, skip_absent=False),),
            ),
            Mistake(
                "union-sin-restar",
                "en la unión has contado dos veces lo común: réstalo una vez",
                (_by_class(lambda common, said, there: common / (said + there)),),
            ),
            Mistake(
                "dice",
                "eso es el coeficiente Dice, dos veces lo común entre la suma: la IoU divide entre "
                "la unión",
                (_by_class(lambda common, said, there: 2 * common / (said + there)),),
            ),
            Mistake(
                "solo-las-que-estan",
                "has medido solo las clases que están: decir una que no está también se castiga",
                (_only_present,),
            ),
        ),
        differentiable=False,
    ),
)
