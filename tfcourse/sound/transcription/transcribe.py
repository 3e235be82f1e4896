"""Transcribir: de una grabación, como llegue, al texto que un modelo escribe."""

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.audio.mel import MelConfig
from tfcourse.audio.resampling import resampled
from tfcourse.audio.signals import check_rate, check_wave
from tfcourse.audio.speech_mel import SPEECH_MEL, speech_mel, whisper_mel
from tfcourse.datasets.sounds.audio_files import read_sound
from tfcourse.datasets.sounds.spoken_words import PEAK
from tfcourse.decoding import greedy_decode
from tfcourse.decoding.beam import beam_search
from tfcourse.models.whisper import Whisper
from tfcourse.sound.transcription.pretrained import OfficialVocabulary
from tfcourse.tokenizers.speech import TRANSCRIBE, SpeechVocabulary

SILENCE = 1e-3  # pico por debajo del cual no hay nada que oír


def prepared(wave: Tensor, sample_rate: int, wanted: int = SPEECH_MEL.sample_rate) -> Tensor:
    """Deja una grabación como las de entrenar: un canal, a `wanted` Hz y con su pico en su sitio.

    `wave` es (T,) o, en estéreo, (canales, T). Errores: `TypeError` o `ValueError` si no se puede
    analizar, si los ejes están cambiados o si es un silencio.
    """
    check_wave(wave)
    check_rate(sample_rate)
    if wave.ndim > 2 or (wave.ndim == 2 and len(wave) > wave.shape[1]):
        raise ValueError(
            f"la grabación tiene forma {tuple(wave.shape)}: se espera (T,) o (canales, T); si los "
            "canales van al final, pasa wave.T"
        )
    mono = wave.mean(dim=0) if wave.ndim == 2 else wave
    peak = float(mono.abs().max())
    if peak < SILENCE:
        raise ValueError(
            f"la grabación es un silencio (su pico es {peak:.1g}): sube el volumen o revisa el "
            "micrófono; de un silencio, el modelo podría escribir palabras que nadie dijo"
        )
    return resampled(mono, sample_rate, wanted) * (PEAK / peak)


@torch.no_grad()
def write(
    model: Whisper,
    mels: Float[Tensor, "B mels frames"],
    prompt: Sequence[int],
    *,
    stop_id: int,
    max_length: int,
) -> Int[Tensor, "B T"]:
    """Escritura voraz: lee los símbolos de una vez, menos el último, y después, token a token."""
    given = torch.tensor([prompt] * len(mels), device=mels.device)
    state = model.start(mels)
    if given.shape[1] > 1:
        _, state = model.step(given[:, :-1], state)
    return greedy_decode(model.step, state, given[:, -1], stop_id=stop_id, max_length=max_length)


@torch.no_grad()
def write_with_beam(
    model: Whisper,
    mels: Float[Tensor, "1 mels frames"],
    prompt: Sequence[int],
    *,
    stop_id: int,
    max_length: int,
    beam_size: int,
) -> tuple[list[int], float]:
    """Búsqueda en haz de una grabación: lo escrito y su logaritmo de probabilidad por token."""
    given = torch.tensor([prompt[:-1]], device=mels.device)
    _, state = model.step(given, model.start(mels))
    return beam_search(
        model.step, state, model.select, first=prompt[-1], stop_id=stop_id,
        max_length=max_length, beam_size=beam_size, device=mels.device,
    )  # fmt: skip


def transcribe(
    model: Whisper,
    waves: Sequence[Float[Tensor, " _"]],
    vocabulary: SpeechVocabulary | OfficialVocabulary,
    task: str = TRANSCRIBE,
    *,
    beam_size: int = 1,
    mel: MelConfig = SPEECH_MEL,
    features: Callable[[Tensor, MelConfig], Tensor] = speech_mel,
    seconds: float | None = None,
) -> list[str]:
    """El texto de cada onda, de una en una, como llegan las grabaciones.

    `features` hace el espectrograma; con los pesos oficiales, `whisper_mel`. Con `seconds`, cada
    onda se alarga con silencio hasta medir eso, como en el Whisper original.
    """
    prompt = vocabulary.prompt(task)
    options = {"stop_id": vocabulary.stop_id, "max_length": model.config.max_length - len(prompt)}
    device, texts = model.decoder.table.weight.device, []
    for wave in waves:
        missing = 0 if seconds is None else round(seconds * mel.sample_rate) - len(wave)
        mels = features(torch.nn.functional.pad(wave, (0, max(0, missing)))[None], mel).to(device)
        if beam_size > 1:
            ids, _ = write_with_beam(model, mels, prompt, beam_size=beam_size, **options)
        else:
            ids = write(model, mels, prompt, **options)[0].tolist()
        texts.append(vocabulary.decode(ids))
    return texts


def transcribe_together(
    model: Whisper,
    waves: Sequence[Float[Tensor, " _"]],
    vocabulary: OfficialVocabulary,
    *,
    mel: MelConfig,
    seconds: float,
    max_length: int,
    batch_size: int = 32,
) -> list[str]:
    """El texto de muchas ondas, varias a la vez: todas se alargan o se cortan a `seconds`.

    Así leen los pesos oficiales. `max_length` son los tokens que se escriben, como mucho.
    """
    prompt, texts = vocabulary.prompt(), []
    room = min(max_length, model.config.max_length - len(prompt))
    for start in range(0, len(waves), batch_size):
        some = [padded_to(waves[i], seconds, mel) for i in range(len(waves))[start:][:batch_size]]
        mels = whisper_mel(torch.stack(some).to(model.decoder.table.weight.device), mel)
        ids = write(model, mels, prompt, stop_id=vocabulary.stop_id, max_length=room)
        texts += [vocabulary.decode(row) for row in ids.tolist()]
    return texts


def padded_to(wave: Float[Tensor, " T"], seconds: float, mel: MelConfig) -> Float[Tensor, " S"]:
    """La onda, alargada con silencio por el final o cortada hasta medir `seconds`."""
    length = round(seconds * mel.sample_rate)
    return torch.nn.functional.pad(wave[:length], (0, max(0, length - len(wave))))


def transcribe_file(
    model: Whisper, path: Path | str, vocabulary: SpeechVocabulary, task: str = TRANSCRIBE
) -> str:
    """El texto de un archivo de sonido. Errores: los de `read_sound` y los de `prepared`."""
    wave, rate = read_sound(path)
    return transcribe(model, [prepared(wave, rate)], vocabulary, task)[0]
