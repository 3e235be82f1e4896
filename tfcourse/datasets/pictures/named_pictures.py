"""Dibujos y nombres, ya en números: lo que leen un MMBT y un CLIP."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.batching import minibatches
from tfcourse.datasets.pictures.augmentation import Augmentation, move_images
from tfcourse.datasets.pictures.openmoji import Pictures
from tfcourse.datasets.text.article_topics import encode_texts
from tfcourse.tokenizers.base import Tokenizer

MAX_LENGTH = 24  # [CLS], [SEP] y los trozos del nombre: el más largo tiene menos
MOVES = Augmentation(shift=3.0, degrees=14.0, scale=0.2)
TINT = 0.15  # cuánto sube o baja, como mucho, cada color


@dataclass(frozen=True)
class NamedPictures:
    """Parejas: `images` (N, 3, H, W), el nombre en `tokens` (N, L) y `lengths` (N,), y `groups`."""

    images: Float[Tensor, "N 3 H W"]
    tokens: Int[Tensor, "N L"]
    lengths: Int[Tensor, " N"]
    groups: Int[Tensor, " N"]

    def __len__(self) -> int:
        return len(self.groups)

    def tensors(self) -> tuple[Tensor, ...]:
        """Los cuatro, en orden, para repartirlos en lotes."""
        return tuple(getattr(self, field.name) for field in fields(self))


def encode_pictures(pictures: Pictures, tokenizer: Tokenizer) -> NamedPictures:
    """Los dibujos, con su nombre en trozos: `[CLS] nombre [SEP]`."""
    tokens, lengths = encode_texts(pictures.names, tokenizer, MAX_LENGTH)
    return NamedPictures(pictures.images, tokens, lengths, pictures.groups)


def vary(images: Float[Tensor, "B 3 H W"], generator: torch.Generator) -> Float[Tensor, "B 3 H W"]:
    """Los mismos dibujos, movidos, girados, escalados y con otro tinte; lo nuevo es fondo blanco.

    Nunca se dan la vuelta: «hacia la izquierda» dejaría de ser verdad.
    """
    moved = 1 - move_images(1 - images, MOVES, generator)  # lo que queda fuera vale 0: fondo
    tint = 1 + TINT * (2 * torch.rand(len(images), 3, 1, 1, generator=generator) - 1)
    return (moved * tint).clamp(0, 1)


def picture_batches(
    pairs: NamedPictures, batch_size: int, seed: int = 0
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin `(imágenes, tokens, longitudes, grupos)`, con los dibujos siempre distintos."""
    generator = torch.Generator().manual_seed(seed + 1)
    for images, tokens, lengths, groups in minibatches(
        *pairs.tensors(), batch_size=batch_size, seed=seed
    ):
        yield vary(images, generator), tokens[:, : int(lengths.max())], lengths, groups
