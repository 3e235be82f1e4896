"""Ejercicio abierto: ¿ayuda invertir la entrada al modelo de contexto fijo?"""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _reversed_by_lists(source, lengths):
    rows = [
        [*row[:length][::-1], *row[length:]]
        for row, length in zip(source.tolist(), lengths.tolist(), strict=True)
    ]
    return torch.tensor(rows, dtype=source.dtype)


def _one_too_far(source, lengths):
    moved = source.clone()
    for row, length in enumerate(lengths.tolist()):
        for position in range(length):
            moved[row, position] = source[row, length - position]
    return moved


def _sentences(*rows, padding=0):
    def make():
        width = max(map(len, rows)) + padding
        source = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])
        return source, torch.tensor([len(row) for row in rows])

    return make


def _random_sentences(seed):
    def make():
        random = chance(seed)
        lengths = random.sample(range(2, 8), 4)
        # Sin palabras repetidas: ninguna frase se lee igual en los dos sentidos.
        return _sentences(*(random.sample(range(3, 30), n) for n in lengths), padding=1)()

    return make


REVERSE_INPUT = Exercise(
    Card(
        id="invertir-la-entrada",
        title="¿Ayuda invertir la entrada?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="diseñar un experimento que pueda refutar una hipótesis, y contarlo con honradez",
        hints=(
            "Para reverse_source: no basta `flip(1)`, porque el relleno pasaría delante. La "
            "posición i de una frase de longitud n recibe lo que había en n − 1 − i.",
            "Con índices: positions = torch.arange(Tx); el relleno (positions >= lengths) se queda "
            "en su sitio. `source.gather(1, indices)` toma de cada fila los índices que le digas.",
            "Para el experimento: cambia una sola cosa cada vez, repite con varias semillas y "
            "separa el resultado por longitud de la entrada. ¿Qué curva te haría decir que no?",
        ),
    ),
    Task(
        function="reverse_source",
        cases=(
            Case("dos frases con relleno", _sentences((5, 6, 7, 8), (9, 3))),
            Case("todas las frases con relleno", _sentences((5, 3, 6), (9, 4), padding=2)),
            Case("frases sin relleno", _sentences((4, 5, 6), (7, 8, 9), (3, 4, 8))),
            Case("una sola frase", _sentences((3, 8, 5, 4, 9))),
            Case("frases de una palabra", _sentences((4,), (7,))),
            Case("frases al azar", _random_sentences(seed=0)),
            example(torch.tensor([[5, 6, 7], [8, 9, 0]]), torch.tensor([3, 2])),
        ),
        reference=_reversed_by_lists,
        mistakes=(
            Mistake(
                "relleno-delante",
                "has invertido la fila entera y el relleno ha pasado delante: invierte solo las "
                "`lengths[b]` primeras posiciones",
                (lambda source, lengths: source.flip(1),),
            ),
            Mistake(
                "lote-invertido",
                "has invertido el orden de las frases del lote: se invierten las palabras dentro "
                "de cada frase",
                (lambda source, lengths: source.flip(0), lambda source, lengths: source.flip(0, 1)),
            ),
            Mistake(
                "sin-invertir",
                "devuelves la entrada tal como llegó",
                (lambda source, lengths: source,),
            ),
            Mistake(
                "una-posicion",
                "te desplazas una posición: el último índice de una frase de longitud n es n − 1",
                (_one_too_far,),
            ),
        ),
        differentiable=False,
    ),
)
