"""Cifras dichas seguidas: frases hechas con palabras sueltas, con sus límites exactos."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.signals import add_noise
from tfcourse.datasets.sounds.spoken_words import DIGITS, PEAK, SAMPLE_RATE
from tfcourse.datasets.sounds.synthesizer import WordTime, speak_all
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, TRAIN_VARIANTS, takes_of
from tfcourse.tokenizers.speech import ENGLISH_DIGITS

DIGITS_IN = {"es": DIGITS, "en": ENGLISH_DIGITS}
SHORTEST, LONGEST = 3, 6  # cifras por frase
POOL = 8  # lotes que se sortean a la vez, para juntar frases de duración parecida


@dataclass(frozen=True)
class Speaker:
    """Una toma de una voz: su nombre y cada palabra en una onda (T,), sin silencio a los lados.

    `language` es la lengua en la que dice las cifras, una de las de `DIGITS_IN`.
    """

    voice: str
    clips: tuple[Float[Tensor, " _"], ...]
    language: str = "es"


@dataclass(frozen=True)
class Phrase:
    """Una frase: onda (T,), palabras que suenan, sus límites en segundos, la voz y la lengua."""

    wave: Float[Tensor, " T"]
    labels: tuple[int, ...]
    words: tuple[WordTime, ...]
    voice: str
    sample_rate: int = SAMPLE_RATE
    language: str = "es"


@dataclass(frozen=True)
class PhraseChanges:
    """Lo que se sortea en cada frase, en intervalos: pausas y bordes (segundos), velocidad y ruido.

    `speed` son veces: con 1,2 va más deprisa y suena más agudo. `volume_db` es lo que se sube o se
    baja cada palabra. `noise_db` es la relación señal-ruido; con `None` no hay ruido.
    """

    pause: tuple[float, float] = (0.02, 0.35)
    edge: tuple[float, float] = (0.02, 0.1)
    speed: tuple[float, float] = (0.8, 1.25)
    volume_db: float = 3.0
    noise_db: tuple[float, float] | None = (5.0, 60.0)


STEADY = PhraseChanges(speed=(1.0, 1.0), volume_db=0.0, noise_db=None)


@lru_cache(maxsize=6)
def speakers(
    variants: tuple[str, ...],
    takes: int,
    sample_rate: int = SAMPLE_RATE,
    seed: int = 0,
    language: str = "es",
) -> tuple[Speaker, ...]:
    """Las diez cifras dichas por cada toma de cada timbre; se sintetizan una sola vez.

    Errores: los de `speak`.
    """
    found, digits = [], DIGITS_IN[language]
    for variant in variants:
        voices = takes_of([variant], takes, seed, language)
        spoken = speak_all([(word, voice) for voice in voices for word in digits], sample_rate)
        clips = [_only_word(speech) for speech in spoken]
        for take in range(takes):
            own = clips[take * len(digits) : (take + 1) * len(digits)]
            found.append(Speaker(variant, tuple(own), language))
    return tuple(found)


def train_speakers(takes: int = 3, language: str = "es") -> tuple[Speaker, ...]:
    """Los que se oyen al entrenar."""
    return speakers(TRAIN_VARIANTS, takes, language=language)


def reserved_speakers(takes: int = 2, language: str = "es") -> tuple[Speaker, ...]:
    """Los reservados: ningún timbre de estos está entre los de entrenar."""
    return speakers(TEST_VARIANTS, takes, language=language)


def _only_word(speech) -> Float[Tensor, " T"]:
    """La palabra, entre los límites que da el sintetizador, con su pico en `PEAK`."""
    start = round(speech.words[0].start * speech.sample_rate)
    end = round(speech.words[-1].end * speech.sample_rate)
    wave = speech.wave[start:end]
    return wave * (PEAK / wave.abs().max())


def joined(
    speaker: Speaker,
    labels: Sequence[int],
    changes: PhraseChanges,
    generator: torch.Generator,
    sample_rate: int = SAMPLE_RATE,
) -> Phrase:
    """Une las palabras con pausas sorteadas; el ruido se suma después, al hacer el lote.

    Errores: `ValueError` si no hay ninguna palabra.
    """
    if not labels:
        raise ValueError("no hay ninguna palabra que unir: pasa al menos una etiqueta")
    uniform = torch.rand(2 * len(labels) + 3, generator=generator).tolist()
    speed, digits = _between(changes.speed, uniform.pop()), DIGITS_IN[speaker.language]
    pieces, words = [_silence(_between(changes.edge, uniform.pop()), sample_rate)], []
    place = len(pieces[0])
    for order, label in enumerate(labels):
        decibels = changes.volume_db * (2 * uniform.pop() - 1)
        clip = at_rate(speaker.clips[label], speed) * 10 ** (decibels / 20)
        words.append(
            WordTime(digits[label], place / sample_rate, (place + len(clip)) / sample_rate)
        )
        last = order + 1 == len(labels)
        gap = _silence(
            _between(changes.edge if last else changes.pause, uniform.pop()), sample_rate
        )
        pieces += [clip, gap]
        place += len(clip) + len(gap)
    return Phrase(
        torch.cat(pieces), tuple(labels), tuple(words), speaker.voice, sample_rate, speaker.language
    )


def at_rate(wave: Float[Tensor, " T"], speed: float) -> Float[Tensor, " N"]:
    """La onda `speed` veces más deprisa: más corta y más aguda."""
    length = max(2, round(len(wave) / speed))
    if length == len(wave):
        return wave
    return F.interpolate(wave[None, None], size=length, mode="linear")[0, 0]


def _between(limits: tuple[float, float], part: float) -> float:
    return limits[0] + (limits[1] - limits[0]) * part


def _silence(seconds: float, sample_rate: int) -> Float[Tensor, " T"]:
    return torch.zeros(round(seconds * sample_rate))


def draw_phrase(
    people: Sequence[Speaker],
    changes: PhraseChanges,
    generator: torch.Generator,
    counts: tuple[int, int] = (SHORTEST, LONGEST),
) -> Phrase:
    """Una persona, unas cifras (de tres a seis, si no se dice otra cosa) y unas pausas, al azar."""
    speaker = people[int(torch.randint(len(people), (1,), generator=generator))]
    count = int(torch.randint(counts[0], counts[1] + 1, (1,), generator=generator))
    labels = torch.randint(len(DIGITS), (count,), generator=generator).tolist()
    return joined(speaker, labels, changes, generator)


@lru_cache(maxsize=4)
def reserved_phrases(each: int = 5, seed: int = 1_000, language: str = "es") -> tuple[Phrase, ...]:
    """Frases de evaluar: `each` de cada toma de las voces reservadas, siempre las mismas.

    En otra lengua son las mismas cifras, dichas por los mismos timbres.
    """
    generator = torch.Generator().manual_seed(seed)
    return tuple(
        draw_phrase([speaker], STEADY, generator)
        for speaker in reserved_speakers(language=language)
        for _ in range(each)
    )


def phrase_batches(
    people: Sequence[Speaker],
    batch_size: int,
    changes: PhraseChanges,
    seed: int,
    counts: tuple[int, int] = (SHORTEST, LONGEST),
) -> Iterator[list[Phrase]]:
    """Lotes sin fin de frases de duración parecida, para que sobre poco relleno."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        pool = [draw_phrase(people, changes, generator, counts) for _ in range(POOL * batch_size)]
        pool.sort(key=lambda phrase: len(phrase.wave))
        for place in torch.randperm(POOL, generator=generator).tolist():
            yield pool[place * batch_size : (place + 1) * batch_size]


def padded(phrases: Sequence[Phrase]) -> Float[Tensor, "B T"]:
    """Las ondas de un lote, con silencio al final de las más cortas."""
    return torch.nn.utils.rnn.pad_sequence([p.wave for p in phrases], batch_first=True)


def noisy(
    waves: Float[Tensor, "B T"], changes: PhraseChanges, generator: torch.Generator
) -> Float[Tensor, "B T"]:
    """Las ondas con ruido blanco, a una relación señal-ruido sorteada para cada una."""
    if changes.noise_db is None:
        return waves
    low, high = changes.noise_db
    levels = low + (high - low) * torch.rand(len(waves), generator=generator)
    return add_noise(waves, levels, generator)
