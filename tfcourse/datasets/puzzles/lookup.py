"""Fichero de dos preguntas: fichas sueltas (letra, cifra) y dos letras por las que se pregunta.

Tarea de laboratorio para la atención: se sabe siempre qué ficha había que mirar.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

LETTERS = "ABCDEFGHIJKLMNOP"
DIGITS = "0123456789"


class Lookups(NamedTuple):
    """Ficheros con su consulta: todo en números.

    `letters` y `digits` tienen forma (B, N); `asked`, (B, 2), son las dos letras preguntadas;
    `places`, (B, 2), en qué ficha está cada una; `answers`, (B, 2), las cifras que hay que dar.
    """

    letters: Int[Tensor, "B N"]
    digits: Int[Tensor, "B N"]
    asked: Int[Tensor, "B 2"]
    places: Int[Tensor, "B 2"]
    answers: Int[Tensor, "B 2"]

    @property
    def inputs(self) -> tuple[Tensor, Tensor, Tensor]:
        """Letras, cifras y letras preguntadas, que es lo que lee el modelo."""
        return self.letters, self.digits, self.asked

    def only(self, row: int) -> "Lookups":
        """Un lote con un solo fichero."""
        return Lookups(*(value[row : row + 1] for value in self))

    def to(self, device: torch.device | str) -> "Lookups":
        """Los mismos ficheros en otro dispositivo."""
        return Lookups(*(value.to(device) for value in self))


def make_lookups(n_examples: int, n_cards: int = 8, *, generator: torch.Generator) -> Lookups:
    """Ficheros al azar: en cada uno, `n_cards` letras distintas y dos de ellas preguntadas.

    Errores: `ValueError` si no hay al menos dos fichas o no hay letras para todas.
    """
    if not 2 <= n_cards <= len(LETTERS):
        raise ValueError(
            f"n_cards={n_cards}: hacen falta entre 2 fichas y {len(LETTERS)}, una por letra"
        )
    letters = _shuffled(n_examples, len(LETTERS), generator)[:, :n_cards]
    digits = torch.randint(len(DIGITS), (n_examples, n_cards), generator=generator)
    places = _shuffled(n_examples, n_cards, generator)[:, :2]
    asked, answers = letters.gather(1, places), digits.gather(1, places)
    return Lookups(letters, digits, asked, places, answers)


def lookup_batches(batch_size: int, seed: int, **options) -> Iterator[Lookups]:
    """Lotes sin fin: cada uno es nuevo, así que nada se puede memorizar."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield make_lookups(batch_size, generator=generator, **options)


def _shuffled(n_rows: int, n_columns: int, generator: torch.Generator) -> Tensor:
    """Una permutación por fila: el orden de números al azar."""
    return torch.rand(n_rows, n_columns, generator=generator).argsort(dim=1)
