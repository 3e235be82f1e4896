"""Ejercicio abierto: lo que ocupa un modelo de pocos bits, y lo que se pierde."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _one_by_one(n_rows, n_columns, bits, group):
    """Suma bit a bit y escala a escala, fila por fila."""
    total = 0
    for _ in range(n_rows):
        for start in range(0, n_columns, group):
            total += 16 + bits * len(range(start, min(start + group, n_columns)))
    return total // 8


def _variant(scale_bits=16, per_row=False, in_bits=False, scales=True):
    def size(n_rows, n_columns, bits, group):
        n_scales = n_rows if per_row else n_rows * (n_columns // group)
        total = n_rows * n_columns * bits + (scale_bits * n_scales if scales else 0)
        return total if in_bits else total // 8

    return size


def _case(seed):
    def make():
        random = chance(seed)
        group = random.choice((32, 64))
        return random.randint(64, 512), group * random.randint(3, 8), random.choice((4, 8)), group

    return make


SIZES = Exercise(
    Card(
        id="pocos-bits",
        title="¿Cuántos bits hacen falta?",
        kind="abierto",
        difficulty=2,
        minutes=45,
        points=2,
        manual_points=8,
        objective="elegir bits y grupo para unos pesos, y medir lo que se pierde",
        hints=(
            "Hay dos sumandos: los enteros, `bits` cada uno, y las escalas, de 16 bits.",
            "Cada fila tiene n_columns / group escalas.",
            "Para el diseño: `quantize_model` y `linear_bytes` hacen las cuentas; lo que cambia es "
            "un mando, y los bits por carácter se miden en texto que no se ha visto.",
        ),
    ),
    Task(
        function="quantized_bytes",
        cases=(
            Case("una matriz", _case(0)),
            Case("otra matriz", _case(1)),
            Case("un solo grupo por fila", lambda: (10, 64, 4, 64)),
            example(2, 8, 4, 4),
        ),
        reference=_one_by_one,
        mistakes=(
            Mistake(
                "sin-escalas",
                "faltan las escalas, que también hay que guardar",
                (_variant(scales=False),),
            ),
            Mistake(
                "una-por-fila",
                "has contado una escala por fila: hay una por grupo",
                (_variant(per_row=True),),
            ),
            Mistake(
                "escalas-de-32",
                "las escalas son de 16 bits, y no de 32",
                (_variant(scale_bits=32),),
            ),
            Mistake("en-bits", "has contado bits: un byte son 8", (_variant(in_bits=True),)),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
