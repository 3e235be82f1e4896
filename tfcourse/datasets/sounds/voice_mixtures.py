"""Mezclas de voces: varias personas que dicen cifras a la vez, con cada voz por separado."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.pitch import pitch_of, semitones
from tfcourse.audio.signals import power
from tfcourse.datasets.sounds.spoken_phrases import Speaker, at_rate, reserved_speakers
from tfcourse.datasets.sounds.spoken_words import SAMPLE_RATE

TRIES = 50  # veces que se vuelve a sortear si las voces se parecen demasiado
LEVEL = 0.1  # raíz de la potencia media de cada voz, antes de cambiarle el volumen


@dataclass(frozen=True)
class MixtureChanges:
    """Lo que se sortea en cada mezcla: duración y pausas (segundos), volumen y velocidad.

    `level_db` es lo que sube o baja cada voz, como mucho; `speed` son veces: con 1,2, más deprisa y
    más agudo. `gap` son los semitonos que tienen que separar los tonos de las voces, como mínimo.
    """

    seconds: float = 1.0
    pause: tuple[float, float] = (0.0, 0.08)
    level_db: float = 2.5
    speed: tuple[float, float] = (0.85, 1.2)
    gap: float = 0.0


STEADY = MixtureChanges(speed=(1.0, 1.0))


@dataclass(frozen=True)
class Mixtures:
    """Mezclas: cada voz sola, (N, S, T), quiénes hablan y el tono de cada una, (N, S), en hercios.

    La mezcla es la suma de las voces.
    """

    sources: Float[Tensor, "N S T"]
    voices: tuple[tuple[str, ...], ...]
    pitches: Float[Tensor, "N S"]
    sample_rate: int = SAMPLE_RATE

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def waves(self) -> Float[Tensor, "N T"]:
        """Lo que se oye."""
        return self.sources.sum(dim=1)


def talk(
    speaker: Speaker,
    changes: MixtureChanges,
    generator: torch.Generator,
    sample_rate: int = SAMPLE_RATE,
) -> Float[Tensor, " T"]:
    """Una persona que dice cifras seguidas durante `changes.seconds`, desde un sitio cualquiera.

    Sale con potencia `LEVEL` al cuadrado.
    """
    length = round(changes.seconds * sample_rate)
    speed = _uniform(changes.speed, generator)
    pieces, total = [], 0
    start = int(_uniform((0, 0.4 * sample_rate), generator))  # a mitad de una palabra
    while total < start + length:
        label = int(torch.randint(len(speaker.clips), (1,), generator=generator))
        silence = round(_uniform(changes.pause, generator) * sample_rate)
        pieces += [at_rate(speaker.clips[label], speed), torch.zeros(silence)]
        total += len(pieces[-2]) + silence
    wave = torch.cat(pieces)[start : start + length]
    return wave * (LEVEL / power(wave).sqrt().clamp_min(1e-6))


@lru_cache(maxsize=1024)
def speaker_pitch(speaker: Speaker, sample_rate: int = SAMPLE_RATE) -> float:
    """El tono de una toma, en hercios, medido en todas sus palabras seguidas."""
    return pitch_of(torch.cat(speaker.clips), sample_rate)


def draw_people(
    people: Sequence[Speaker], count: int, gap: float, generator: torch.Generator
) -> list[Speaker]:
    """`count` personas de timbres distintos, con tonos separados por `gap` semitonos o más.

    Si tras unos cuantos sorteos no salen tan separadas, valen las últimas.
    Errores: `ValueError` si no hay bastantes timbres.
    """
    timbres = len({person.voice for person in people})
    if timbres < count:
        raise ValueError(
            f"hay {timbres} timbres y se piden {count} voces a la vez: da más voces o pide menos"
        )
    tries = 0
    while True:
        places = torch.randperm(len(people), generator=generator)[:count].tolist()
        chosen = [people[place] for place in places]
        if len({person.voice for person in chosen}) < count:
            continue
        tries += 1
        if gap <= 0 or tries >= TRIES or closest(chosen) >= gap:
            return chosen


def closest(people: Sequence[Speaker]) -> float:
    """Semitonos entre las dos voces de tonos más próximos; si alguna no tiene tono, 0."""
    tones = sorted(speaker_pitch(person) for person in people)
    if any(math.isnan(tone) for tone in tones):
        return 0.0
    return min(semitones(low, high) for low, high in zip(tones, tones[1:], strict=False))


def draw_sources(
    people: Sequence[Speaker], count: int, changes: MixtureChanges, generator: torch.Generator
) -> tuple[Float[Tensor, "S T"], list[Speaker]]:
    """Las voces de una mezcla nueva, cada una a su volumen, y quiénes son."""
    chosen = draw_people(people, count, changes.gap, generator)
    levels = changes.level_db * (2 * torch.rand(count, 1, generator=generator) - 1)
    waves = torch.stack([talk(person, changes, generator) for person in chosen])
    return waves * 10 ** (levels / 20), chosen


def mixture_batches(
    people: Sequence[Speaker],
    batch_size: int,
    changes: MixtureChanges,
    seed: int,
    n_speakers: int = 2,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de `(mezclas, voces)`: ninguna mezcla se repite."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        sources = torch.stack([
            draw_sources(people, n_speakers, changes, generator)[0] for _ in range(batch_size)
        ])  # fmt: skip
        yield sources.sum(dim=1), sources


def draw_mixtures(
    people: Sequence[Speaker],
    count: int,
    changes: MixtureChanges,
    seed: int,
    n_speakers: int = 2,
) -> Mixtures:
    """Unas cuantas mezclas, con lo que hace falta saber de ellas."""
    generator = torch.Generator().manual_seed(seed)
    drawn = [draw_sources(people, n_speakers, changes, generator) for _ in range(count)]
    return Mixtures(
        torch.stack([sources for sources, _ in drawn]),
        tuple(tuple(person.voice for person in chosen) for _, chosen in drawn),
        torch.tensor([[speaker_pitch(person) for person in chosen] for _, chosen in drawn]),
    )


@lru_cache(maxsize=4)
def reserved_mixtures(count: int = 80, n_speakers: int = 2, seed: int = 2_000) -> Mixtures:
    """Mezclas de evaluar, con voces que no se oyen al entrenar: siempre las mismas."""
    return draw_mixtures(reserved_speakers(), count, STEADY, seed, n_speakers)


def _uniform(limits: tuple[float, float], generator: torch.Generator) -> float:
    return limits[0] + (limits[1] - limits[0]) * float(torch.rand(1, generator=generator))
