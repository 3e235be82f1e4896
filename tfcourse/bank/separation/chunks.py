"""Ejercicio de código: volver a juntar los trozos."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(chunks, length):
    """Vector a vector: se suman los dos trozos en los que cae."""
    count, size, width = chunks.shape
    half = size // 2
    found = []
    for place in range(length):
        spot = place + half  # contando los ceros del borde
        pieces = [chunks[n, spot - n * half] for n in range(count) if 0 <= spot - n * half < size]
        found.append(sum(pieces) / 2)
    return torch.stack(found) if found else chunks.new_zeros(0, width)


def _variant(hop=None, divide=2.0, edge=True, last=False):
    def join(chunks, length):
        count, size, width = chunks.shape
        half = size // 2
        step = half if hop is None else size
        total = chunks.new_zeros((count - 1) * step + size, width)
        for n in range(count):
            place = slice(n * step, n * step + size)
            if last:
                total[place] = chunks[n] * divide
            else:
                total[place] = total[place] + chunks[n]
        start = half if edge else 0
        return total[start : start + length] / divide

    return join


def _whole(chunks, length):
    size = chunks.shape[1]
    total = chunks.new_zeros((len(chunks) - 1) * (size // 2) + size, chunks.shape[2])
    for n, piece in enumerate(chunks):
        total[n * (size // 2) : n * (size // 2) + size] += piece
    return total / 2


def _case(count, size, width, length, seed=0):
    def make():
        generator = seeded(seed)
        return torch.randn((count, size, width), generator=generator), length

    return make


CHUNKS = Exercise(
    Card(
        id="junta-los-trozos",
        title="Junta los trozos",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="promediar trozos que se solapan la mitad y quitar los bordes",
        hints=(
            "El trozo n empieza en la posición n · C/2 de la secuencia con bordes.",
            "Reserva (N − 1) · C/2 + C vectores a cero y suma en cada hueco su trozo.",
            "Divide entre dos, y quédate con los length vectores que siguen a los C/2 primeros.",
        ),
    ),
    Task(
        function="join_chunks",
        cases=(
            Case("de dos en dos", _case(5, 2, 1, 4)),
            Case("de cuatro", _case(4, 4, 3, 6, seed=1)),
            Case("sin llenar el último", _case(5, 6, 2, 10, seed=2)),
            Case("muchos", _case(12, 10, 4, 53, seed=3)),
            example(torch.tensor([[[0.0], [1.0]], [[1.0], [2.0]], [[2.0], [0.0]]]), 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-solape",
                "has puesto los trozos uno detrás de otro: cada uno empieza medio trozo después",
                (
                    _variant(hop="size"),
                    _variant(hop="size", divide=1.0),
                    _variant(hop="size", divide=1.0, edge=False),
                ),
            ),
            Mistake(
                "sin-dividir",
                "te falta dividir entre dos: cada vector cae en dos trozos",
                (_variant(divide=1.0),),
            ),
            Mistake(
                "con-el-borde",
                "no has quitado los ceros del principio: la secuencia empieza en la posición C/2",
                (_variant(edge=False), _variant(edge=False, divide=1.0)),
            ),
            Mistake(
                "el-ultimo-gana",
                "de cada vector has tomado una sola copia, la del último: hay que sumar las dos",
                (_variant(last=True), _variant(last=True, divide=1.0)),
            ),
            Mistake(
                "sin-recortar",
                "te sobran vectores: se piden length, sin los bordes",
                (_whole,),
            ),
        ),
        tolerance=1e-5,
    ),
)
