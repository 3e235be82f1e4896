"""Ejercicio de código: FastText con casillas, como en el artículo."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

OFFSET, PRIME = 2_166_136_261, 16_777_619


def _hash(codes):
    number = OFFSET
    for code in codes:
        number = ((number ^ code) * PRIME) % 2**32
    return number


def _hash_after(codes):
    number = OFFSET
    for code in codes:
        number = (number * PRIME % 2**32) ^ code
    return number


def _pieces(text, sizes=(3, 4, 5)):
    return [text[i : i + n] for n in sizes for i in range(len(text) - n + 1)]


def _by_loops(word, table):
    total, pieces = torch.zeros_like(table[0]), _pieces(f"<{word}>")
    for piece in pieces:
        total = total + table[_hash(piece.encode("utf-8")) % len(table)]
    return total / len(pieces)


def _vector(
    marks="<{}>", codes=str.encode, number=_hash, end=torch.mean, sizes=(3, 4, 5), once=False
):
    """El vector con alguna pieza cambiada: así se fabrican los errores típicos."""

    def bucket_vector(word, table):
        pieces = _pieces(marks.format(word), sizes) or [word]
        rows = [number(codes(piece)) % len(table) for piece in pieces]
        return end(table[sorted(set(rows)) if once else rows], 0)

    return bucket_vector


def _case(word, n_rows, seed):
    return lambda: (word, *random_tensors((n_rows, 4), seed=seed))


BUCKETS = Exercise(
    Card(
        id="casillas",
        title="FastText con casillas",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="dar un vector a cualquier palabra con una tabla de tamaño fijo",
        hints=(
            "Tres pasos: marcar la palabra, sacar sus trozos y, de cada trozo, su casilla.",
            "La huella se calcula con los bytes del trozo, piece.encode('utf-8'): «ñ» son dos. "
            "Primero el o exclusivo, ^, y después el producto, siempre módulo 2**32.",
            "La casilla es la huella módulo len(table). Dos trozos pueden caer en la misma, y "
            "entonces su fila cuenta dos veces en la media.",
        ),
    ),
    Task(
        function="bucket_vector",
        cases=(
            Case("una palabra corta", _case("sol", 50, seed=0)),
            Case("una palabra larga en pocas casillas", _case("desgraciadamente", 11, seed=1)),
            Case("una palabra con eñe y tilde", _case("cigüeñal", 97, seed=2)),
            Case("una palabra de una letra", _case("y", 20, seed=3)),
            Case("una palabra inventada", _case("ñandulosía", 31, seed=4)),
            example("y", torch.arange(20.0)[:, None], in_words=True),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-marcas",
                "faltan las marcas: la palabra se escribe entre < y > antes de cortarla",
                (_vector(marks="{}"),),
            ),
            Mistake(
                "caracteres",
                "has usado el número de cada carácter: la huella va con los bytes de UTF-8, y «ñ» "
                "son dos",
                (_vector(codes=lambda piece: [ord(c) for c in piece]),),
            ),
            Mistake(
                "producto-primero",
                "has multiplicado antes del o exclusivo: es al revés",
                (_vector(number=_hash_after),),
            ),
            Mistake(
                "suma",
                "has sumado las filas: se pide su media",
                (_vector(end=torch.sum),),
            ),
            Mistake(
                "sin-repetir",
                "has contado una sola vez cada casilla: si dos trozos caen en la misma, cuenta dos",
                (_vector(once=True),),
            ),
            Mistake(
                "hasta-seis",
                "has llegado a trozos de seis letras: aquí van de tres a cinco",
                (_vector(sizes=(3, 4, 5, 6)),),
            ),
        ),
    ),
)
