"""Ejercicio de código: dos oraciones en una sola entrada."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

CLS, SEP = 1, 2


def _by_loops(first, second):
    tokens, segments = [], []
    for part, ids in enumerate(([CLS, *first, SEP], [*second, SEP])):
        for number in ids:
            tokens.append(number)
            segments.append(part)
    return tokens, segments


def _variant(*, cls=True, middle=True, last=True, sep_is_second=False, first_number=0):
    def join(first, second):
        head = [CLS] * cls + list(first)
        between, tail = [SEP] * middle, list(second) + [SEP] * last
        numbers = [0] * len(head) + [int(sep_is_second)] * len(between) + [1] * len(tail)
        return head + between + tail, [number + first_number for number in numbers]

    return join


def _turned(first, second):
    return _by_loops(second, first)


def _one_segment(first, second):
    tokens, segments = _by_loops(first, second)
    return tokens, [0] * len(segments)


def _second_cls(first, second):
    tokens = [CLS, *first, SEP, CLS, *second, SEP]
    return tokens, [0] * (len(first) + 2) + [1] * (len(second) + 2)


def _random_sentences(n_first, n_second, seed):
    def make():
        words = chance(seed).sample(range(30, 100), n_first + n_second)
        return words[:n_first], words[n_first:]

    return make


PAIRS = Exercise(
    Card(
        id="dos-oraciones-en-una",
        title="Dos oraciones, una entrada",
        kind="codigo",
        difficulty=1,
        minutes=8,
        points=2,
        objective="escribir [CLS] a [SEP] b [SEP] y el segmento de cada token",
        hints=(
            "Hay un solo [CLS], al principio, y dos [SEP]: uno detrás de cada oración.",
            "El primer [SEP] cierra la primera oración y es de su segmento.",
            "[0] * (len(first) + 2) + [1] * (len(second) + 1)",
        ),
    ),
    Task(
        function="pair_input",
        cases=(
            Case("dos oraciones", lambda: ([10, 11, 12], [20, 21])),
            Case("la primera, más corta", lambda: ([10], [20, 21, 22, 23])),
            Case("la primera, vacía", lambda: ([], [20])),
            Case("dos oraciones al azar", _random_sentences(4, 3, seed=1)),
            example([10, 11], [20]),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-cls",
                "falta [CLS] al principio: es donde se recoge el resumen de la pareja",
                (_variant(cls=False),),
            ),
            Mistake(
                "sin-ultimo-sep",
                "falta el [SEP] que cierra la segunda oración",
                (_variant(last=False),),
            ),
            Mistake(
                "sin-sep-en-medio",
                "falta el [SEP] que separa las dos oraciones",
                (_variant(middle=False),),
            ),
            Mistake(
                "sep-del-segundo",
                "el primer [SEP] cierra la primera oración: es del segmento 0",
                (_variant(sep_is_second=True),),
            ),
            Mistake(
                "segmentos-desde-uno",
                "los segmentos son 0 y 1: has empezado a contar en 1",
                (_variant(first_number=1),),
            ),
            Mistake(
                "un-solo-segmento",
                "has puesto todo en el segmento 0: el modelo no sabría dónde empieza la segunda",
                (_one_segment,),
            ),
            Mistake(
                "cambiadas",
                "has puesto la segunda oración delante de la primera",
                (_turned,),
            ),
            Mistake(
                "dos-cls",
                "sobra un [CLS]: hay uno solo, al principio de todo",
                (_second_cls,),
            ),
        ),
        outputs=("los tokens", "los segmentos"),
        differentiable=False,
    ),
)
