"""Palabras sueltas dichas por voces sintéticas: las diez cifras, con voces que no se repiten."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.audio.resampling import fit_length
from tfcourse.audio.signals import add_noise
from tfcourse.datasets.sounds.synthesizer import Voice, speak_all
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, TRAIN_VARIANTS, takes_of

DIGITS = (
    "cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve",
)  # fmt: skip
SAMPLE_RATE = 8_000
PEAK = 0.5


@dataclass(frozen=True)
class SpokenWords:
    """Grabaciones sueltas: ondas (N, T) entre −1 y 1, su palabra (N,) y la voz de cada una."""

    waves: Float[Tensor, "N T"]
    labels: Int[Tensor, " N"]
    voices: tuple[str, ...]
    words: tuple[str, ...]
    sample_rate: int

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, indices: Tensor) -> "SpokenWords":
        """Los clips de esos índices."""
        voices = tuple(self.voices[i] for i in indices.tolist())
        return SpokenWords(
            self.waves[indices], self.labels[indices], voices, self.words, self.sample_rate
        )

    def with_waves(self, waves: Float[Tensor, "N S"]) -> "SpokenWords":
        """Los mismos clips con otras ondas: con ruido, filtradas…"""
        return SpokenWords(waves, self.labels, self.voices, self.words, self.sample_rate)


def spoken_words(
    words: Sequence[str],
    voices: Sequence[Voice],
    *,
    sample_rate: int = SAMPLE_RATE,
    seconds: float = 1.0,
) -> SpokenWords:
    """Cada palabra dicha por cada voz, centrada en un clip de `seconds` y con el mismo pico.

    Los clips de un timbre solo dependen de las palabras y de sus tomas. Errores: los de `speak`.
    """
    waves, labels, names = [], [], []
    for variant, group in groupby(voices, key=lambda voice: voice.variant):
        requests = [(word, voice) for voice in group for word in words]
        for place, speech in enumerate(speak_all(requests, sample_rate)):
            wave = speech.wave * (PEAK / speech.wave.abs().max())
            waves.append(fit_length(wave, round(seconds * sample_rate)))
            labels.append(place % len(words))
            names.append(variant)
    return SpokenWords(
        torch.stack(waves), torch.tensor(labels), tuple(names), tuple(words), sample_rate
    )


@lru_cache(maxsize=4)
def split_spoken_digits(
    train_takes: int = 2, test_takes: int = 2, sample_rate: int = SAMPLE_RATE
) -> tuple[SpokenWords, SpokenWords]:
    """Las diez cifras, para entrenar y para evaluar: los timbres de un lado no están en el otro."""
    return tuple(
        spoken_words(DIGITS, takes_of(variants, takes), sample_rate=sample_rate)
        for variants, takes in ((TRAIN_VARIANTS, train_takes), (TEST_VARIANTS, test_takes))
    )


@dataclass(frozen=True)
class SoundChanges:
    """Cambios al azar en cada clip: otra velocidad, desplazarlo y sumar ruido.

    `speed` es lo más que se acelera o se frena, como parte de 1: con 0,25, entre 0,75 y 1,25 veces
    (Ko et al., 2015). `shift`, en segundos. `noise_db` es el intervalo de relaciones señal-ruido,
    en decibelios; con `None` no hay ruido.
    """

    speed: float = 0.25
    shift: float = 0.1
    noise_db: tuple[float, float] | None = None


def at_speed(waves: Float[Tensor, "B T"], factors: Float[Tensor, " B"]) -> Float[Tensor, "B T"]:
    """Cada onda `factor` veces más deprisa, con el centro en su sitio: más aguda y más corta.

    Interpola entre las dos muestras más próximas; lo que falta por los lados es silencio.
    """
    length = waves.shape[-1]
    middle = (length - 1) / 2
    place = middle + (torch.arange(length) - middle) * factors[:, None]
    left = place.floor().long().clamp(0, length - 2)
    part = (place - left).to(waves.dtype)
    mixed = waves.gather(1, left) * (1 - part) + waves.gather(1, left + 1) * part
    return mixed.masked_fill((place < 0) | (place > length - 1), 0.0)


def move_waves(
    waves: Float[Tensor, "B T"], most: int, generator: torch.Generator
) -> Float[Tensor, "B T"]:
    """Desplaza cada onda como mucho `most` muestras a cada lado; lo que queda libre es silencio."""
    starts = torch.randint(0, 2 * most + 1, (len(waves),), generator=generator)
    padded = F.pad(waves, (most, most))
    return torch.stack(
        [row[s : s + waves.shape[-1]] for row, s in zip(padded, starts.tolist(), strict=True)]
    )


def sound_batches(
    data: SpokenWords, batch_size: int, *, changes: SoundChanges | None = None, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de `(ondas, etiquetas)`: barajados en cada vuelta y con cambios al azar.

    Errores: `ValueError` si el lote es mayor que los datos.
    """
    if not 0 < batch_size <= len(data):
        raise ValueError(f"batch_size={batch_size}: hay {len(data)} clips; usa entre 1 y esos")
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(len(data), generator=generator)
        for indices in order.split(batch_size):
            if len(indices) < batch_size:
                continue
            waves = data.waves[indices]
            if changes is not None:
                waves = changed(waves, changes, data.sample_rate, generator)
            yield waves, data.labels[indices]


def changed(
    waves: Float[Tensor, "B T"], changes: SoundChanges, sample_rate: int, generator: torch.Generator
) -> Float[Tensor, "B T"]:
    """Las ondas, a otra velocidad, desplazadas y con ruido."""
    factors = 1 + changes.speed * (2 * torch.rand(len(waves), generator=generator) - 1)
    waves = at_speed(waves, factors) if changes.speed else waves
    waves = move_waves(waves, round(changes.shift * sample_rate), generator)
    if changes.noise_db is None:
        return waves
    low, high = changes.noise_db
    levels = low + (high - low) * torch.rand(len(waves), generator=generator)
    return add_noise(waves, levels, generator)
