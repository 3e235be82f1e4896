"""Cifras que se ven y se oyen a la vez: una imagen estropeada y una voz con ruido."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.datasets.sounds.spoken_words import (
    SoundChanges,
    SpokenWords,
    changed,
    split_spoken_digits,
)

N_CLASSES = 10


@dataclass(frozen=True)
class Damage:
    """Cuánto se estropea cada modalidad.

    `image_noise`: desviación del ruido que se suma a los píxeles, que van de 0 a 1. `hidden`: lado
    del cuadrado que se tapa, en un sitio al azar, como parte del lado de la imagen. `sound`: lo que
    le pasa a la voz.
    """

    image_noise: float = 0.25
    hidden: float = 0.25
    sound: SoundChanges = field(default_factory=lambda: SoundChanges(0.0, 0.1, (-14.0, -6.0)))


CLEAN = Damage(0.0, 0.0, SoundChanges(0.0, 0.0, None))


@dataclass(frozen=True)
class DigitPools:
    """De dónde se sortean las parejas: imágenes de cifras y grabaciones de cifras."""

    images: LabelledImages
    sounds: SpokenWords


@dataclass(frozen=True)
class DigitPairs:
    """Parejas: `images` (N, 1, H, W), `waves` (N, T) y la cifra verdadera de cada una de las dos.

    Las dos cifras son la misma, salvo en las parejas que se contradicen.
    """

    images: Float[Tensor, "N 1 H W"]
    waves: Float[Tensor, "N T"]
    seen: Int[Tensor, " N"]
    heard: Int[Tensor, " N"]

    def __len__(self) -> int:
        return len(self.seen)

    @property
    def labels(self) -> Int[Tensor, " N"]:
        """La cifra de cada pareja. Errores: `ValueError` si alguna se contradice."""
        if not torch.equal(self.seen, self.heard):
            raise ValueError(
                "hay parejas que se contradicen y no tienen una sola respuesta: usa seen y heard"
            )
        return self.seen

    @property
    def agree(self) -> Bool[Tensor, " N"]:
        """En qué parejas la imagen y la voz son la misma cifra."""
        return self.seen == self.heard


@lru_cache(maxsize=1)
def split_pools(n_test: int = 397) -> tuple[DigitPools, DigitPools]:
    """Para entrenar y para evaluar: ni las voces ni las manos de un lado están en el otro."""
    images = split_digits(n_test, by_order=True)
    sounds = split_spoken_digits()
    return tuple(DigitPools(*both) for both in zip(images, sounds, strict=True))


def draw_pairs(
    pools: DigitPools,
    seen: Int[Tensor, " N"],
    heard: Int[Tensor, " N"],
    damage: Damage,
    generator: torch.Generator,
) -> DigitPairs:
    """Una imagen de cada cifra de `seen` y una voz que dice cada una de `heard`, estropeadas.

    Errores: `ValueError` si de alguna cifra no hay ejemplos.
    """
    images = pools.images.images[_of_class(pools.images.labels, seen, generator)]
    waves = pools.sounds.waves[_of_class(pools.sounds.labels, heard, generator)]
    images = damaged_images(images, damage, generator)
    waves = changed(waves, damage.sound, pools.sounds.sample_rate, generator)
    return DigitPairs(images, waves, seen, heard)


def _of_class(labels: Tensor, wanted: Tensor, generator: torch.Generator) -> Tensor:
    """Un ejemplo al azar de cada clase pedida."""
    counts = labels.bincount(minlength=int(wanted.max()) + 1)
    if int(counts[wanted].min()) == 0:
        missing = sorted({int(c) for c in wanted if counts[c] == 0})
        raise ValueError(f"no hay ejemplos de la clase {missing[0]}: revisa las etiquetas")
    by_class, starts = labels.argsort(stable=True), counts.cumsum(0) - counts
    places = torch.rand(len(wanted), generator=generator) * counts[wanted]
    return by_class[starts[wanted] + places.long()]


def damaged_images(
    images: Float[Tensor, "N 1 H W"], damage: Damage, generator: torch.Generator
) -> Float[Tensor, "N 1 H W"]:
    """Las imágenes con un cuadrado tapado, de valor 0, y ruido encima."""
    count, _, height, width = images.shape
    side = round(damage.hidden * height)
    corners = torch.rand(2, count, 1, generator=generator)
    top, left = (corners * (torch.tensor([height, width]).view(2, 1, 1) - side + 1)).long()
    rows, columns = torch.arange(height), torch.arange(width)
    inside_rows = (rows >= top) & (rows < top + side)
    inside_columns = (columns >= left) & (columns < left + side)
    covered = inside_rows[:, :, None] & inside_columns[:, None, :]
    noise = torch.randn(images.shape, generator=generator) * damage.image_noise
    return images.masked_fill(covered[:, None], 0.0) + noise


def reserved_pairs(
    n: int = 1_000, damage: Damage | None = None, seed: int = 1, *, lying: bool = False
) -> DigitPairs:
    """Parejas para evaluar, siempre las mismas; con `lying`, la voz dice otra cifra.

    Errores: `ValueError` si no se pide ninguna.
    """
    if n < 1:
        raise ValueError(f"n={n}: pide al menos una pareja")
    generator = torch.Generator().manual_seed(seed)
    seen = torch.randint(N_CLASSES, (n,), generator=generator)
    other = (seen + torch.randint(1, N_CLASSES, (n,), generator=generator)) % N_CLASSES
    heard = other if lying else seen
    return draw_pairs(split_pools()[1], seen, heard, damage or Damage(), generator)


def doubtful_pairs(
    pools: DigitPools, n: int, damage: Damage, generator: torch.Generator
) -> DigitPairs:
    """Parejas que se contradicen la mitad de las veces: la voz dice, a suertes, otra cifra.

    Saber una de las dos cifras no dice nada de si la otra es la misma. Errores: `ValueError` si no
    se pide ninguna.
    """
    if n < 1:
        raise ValueError(f"n={n}: pide al menos una pareja")
    seen = torch.randint(N_CLASSES, (n,), generator=generator)
    other = (seen + torch.randint(1, N_CLASSES, (n,), generator=generator)) % N_CLASSES
    agree = torch.rand(n, generator=generator) < 0.5
    return draw_pairs(pools, seen, torch.where(agree, seen, other), damage, generator)


def draw_present(n: int, dropout: float, generator: torch.Generator) -> Bool[Tensor, "N 2"]:
    """Qué modalidades llegan de cada ejemplo: con probabilidad `dropout` falta una de las dos.

    Nunca faltan las dos. Fuente: Neverova et al. (2016), § 4. Errores: `ValueError` si `dropout`
    no es una probabilidad.
    """
    if not 0 <= dropout <= 1:
        raise ValueError(f"dropout={dropout}: es una probabilidad, entre 0 y 1")
    draw = torch.rand(n, generator=generator)
    no_image, no_sound = draw < dropout / 2, (draw >= dropout / 2) & (draw < dropout)
    return ~torch.stack([no_image, no_sound], dim=1)


def pair_batches(
    pools: DigitPools, batch_size: int, damage: Damage, *, dropout: float = 0.0, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Lotes sin fin de `(imágenes, ondas, qué llega, cifras)`, sorteados y estropeados al vuelo.

    Errores: `ValueError` si el lote no es positivo.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size={batch_size}: usa al menos 1")
    generator = torch.Generator().manual_seed(seed)
    while True:
        labels = torch.randint(N_CLASSES, (batch_size,), generator=generator)
        pairs = draw_pairs(pools, labels, labels, damage, generator)
        yield pairs.images, pairs.waves, draw_present(batch_size, dropout, generator), labels
