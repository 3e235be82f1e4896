"""Agujas: unas pocas fichas (letra, cifra) perdidas en una secuencia larga de ruido.

Las preguntas van al final, así que se sabe a qué distancia está lo que hay que encontrar.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

N_LETTERS = 8
N_DIGITS = 10
NOISE, CARD, QUESTION = 0, 1, 2  # qué es cada posición


class Needles(NamedTuple):
    """Secuencias con sus preguntas, en números.

    `kinds`, `letters` y `digits`, (B, L): qué es cada posición (ruido, ficha o pregunta), su letra
    y su cifra; el ruido tiene letra 0 y cifra al azar, y la pregunta, cifra 0. `distances` y
    `answers`, (B, Q): a cuántas posiciones está la ficha de cada pregunta, y su cifra.
    """

    kinds: Int[Tensor, "B L"]
    letters: Int[Tensor, "B L"]
    digits: Int[Tensor, "B L"]
    distances: Int[Tensor, "B Q"]
    answers: Int[Tensor, "B Q"]

    @property
    def inputs(self) -> tuple[Tensor, Tensor, Tensor]:
        """Lo que lee el modelo."""
        return self.kinds, self.letters, self.digits

    def to(self, device: torch.device | str) -> "Needles":
        """Las mismas secuencias en otro dispositivo."""
        return Needles(*(value.to(device) for value in self))


def make_needles(
    n_examples: int, length: int, n_questions: int = 8, *, generator: torch.Generator
) -> Needles:
    """Secuencias al azar: una ficha de cada letra entre el ruido y `n_questions` preguntas.

    Hay tantas fichas a una distancia como al doble: de 1 a 2, de 2 a 4, de 4 a 8…

    Errores: `ValueError` si no hay letras para todas las preguntas o no caben las fichas.
    """
    if not 1 <= n_questions <= N_LETTERS or length < N_LETTERS + n_questions:
        raise ValueError(
            f"length={length} y n_questions={n_questions}: caben {N_LETTERS} fichas y las "
            f"preguntas a partir de {N_LETTERS + n_questions} posiciones, y hay {N_LETTERS} letras"
        )
    body = length - n_questions
    letter_order = _shuffled(n_examples, N_LETTERS, generator)
    places = _places(n_examples, body, generator).gather(1, letter_order)  # letra 0, 1, 2…
    asked = _shuffled(n_examples, N_LETTERS, generator)[:, :n_questions]
    digits = torch.randint(N_DIGITS, (n_examples, body), generator=generator)
    kinds = torch.full((n_examples, body), NOISE).scatter(1, places, CARD)
    every_letter = torch.arange(N_LETTERS).expand(n_examples, -1)
    letters = torch.zeros_like(digits).scatter(1, places, every_letter)
    found = places.gather(1, asked)
    own = torch.arange(body, length)
    return Needles(
        torch.cat([kinds, torch.full_like(asked, QUESTION)], dim=1),
        torch.cat([letters, asked], dim=1),
        torch.cat([digits, torch.zeros_like(asked)], dim=1),
        own - found,
        digits.gather(1, found),
    )


def needle_batches(batch_size: int, length: int, seed: int, **options) -> Iterator[Needles]:
    """Lotes sin fin: cada uno es nuevo, así que nada se puede memorizar."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield make_needles(batch_size, length, generator=generator, **options)


def _places(n_rows: int, body: int, generator: torch.Generator) -> Tensor:
    """Posiciones distintas con probabilidad 1/distancia al final: tantas cerca como lejos.

    Sortear tiempos exponenciales y quedarse con los primeros es sortear sin repetir.
    """
    distance = torch.arange(body, 0, -1)
    waiting = -torch.rand(n_rows, body, generator=generator).log() * distance
    return waiting.argsort(dim=1)[:, :N_LETTERS]


def _shuffled(n_rows: int, n_columns: int, generator: torch.Generator) -> Tensor:
    """Una permutación por fila: el orden de números al azar."""
    return torch.rand(n_rows, n_columns, generator=generator).argsort(dim=1)
