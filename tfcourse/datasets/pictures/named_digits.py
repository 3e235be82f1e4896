"""Cifras con un nombre al lado, que la mitad de las veces es el de otra cifra.

La pregunta es por la relación: sea cual sea la imagen, la respuesta es «sí» la mitad de las veces,
y lo mismo pasa con el nombre.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.pictures.digits import LabelledImages, split_digits

NAMES = ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve")
LETTERS = " " + "".join(sorted(set("".join(NAMES))))  # el espacio rellena
N_DIGITS = len(NAMES)


@dataclass(frozen=True)
class NamedDigits:
    """`images` (N, 1, 8, 8); `letters` (N, L), cada nombre letra a letra; y las dos cifras."""

    images: Float[Tensor, "N 1 H W"]
    letters: Int[Tensor, "N L"]
    seen: Int[Tensor, " N"]
    named: Int[Tensor, " N"]

    def __len__(self) -> int:
        return len(self.seen)

    @property
    def same(self) -> Int[Tensor, " N"]:
        """La respuesta: 1 si el nombre es el de la cifra y 0 si no."""
        return (self.seen == self.named).long()


def spelled(named: Int[Tensor, " N"], length: int) -> Int[Tensor, "N L"]:
    """El nombre de cada cifra, letra a letra y relleno hasta `length`.

    Errores: `ValueError` si algún nombre no cabe.
    """
    longest = max(map(len, NAMES))
    if length < longest:
        raise ValueError(f"length={length}: el nombre más largo tiene {longest} letras")
    table = torch.tensor([[LETTERS.index(letter) for letter in f"{n:<{length}}"] for n in NAMES])
    return table[named]


def draw_named(
    pool: LabelledImages, n: int, length: int, generator: torch.Generator
) -> NamedDigits:
    """`n` parejas: la cifra se sortea entre las diez y, la mitad de las veces, el nombre es otro.

    Sabida la respuesta, la cifra vista sigue siendo cualquiera de las diez, y la nombrada, también.
    """
    seen, same = (torch.randint(top, (n,), generator=generator) for top in (N_DIGITS, 2))
    other = (seen + torch.randint(1, N_DIGITS, (n,), generator=generator)) % N_DIGITS
    named = torch.where(same.bool(), seen, other)
    counts = pool.labels.bincount(minlength=N_DIGITS)
    places = (torch.rand(n, generator=generator) * counts[seen]).long()
    rows = pool.labels.argsort(stable=True)[(counts.cumsum(0) - counts)[seen] + places]
    return NamedDigits(pool.images[rows], spelled(named, length), seen, named)


def named_batches(
    pool: LabelledImages, batch_size: int, length: int, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin de `(imágenes, letras, respuesta)`."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        pairs = draw_named(pool, batch_size, length, generator)
        yield pairs.images, pairs.letters, pairs.same


def reserved_named(n: int, length: int, seed: int = 1) -> NamedDigits:
    """Parejas para evaluar, con cifras que escribieron otras manos."""
    return draw_named(split_digits(397, by_order=True)[1], n, length,
                      torch.Generator().manual_seed(seed))  # fmt: skip
