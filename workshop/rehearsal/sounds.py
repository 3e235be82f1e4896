"""Sonidos diminutos con el formato de los conjuntos públicos de voz."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile

from tfcourse.datasets.folders.speech_commands import ARCHIVE, ENGLISH_DIGITS, LISTS
from workshop.rehearsal.untrained import save_untrained

RATE = 16_000
COMMANDS = (*ENGLISH_DIGITS, "yes", "no")
PEOPLE = {"training": ("aa", "bb", "cc"), "testing": ("dd",), "validation": ("ee",)}


def hum(hertz: float, seconds: float, rate: int = RATE) -> np.ndarray:
    """Un zumbido con dos armónicos."""
    time = np.arange(round(seconds * rate)) / rate
    return 0.2 * sum(np.sin(2 * np.pi * hertz * k * time) / k for k in (1, 2, 3))


def make_speech_commands(folder: Path) -> None:
    """Speech Commands: un `.tar.gz` con una carpeta por palabra y las listas del reparto."""
    lists = {"testing": LISTS[0], "validation": LISTS[1]}
    with tarfile.open(folder / ARCHIVE.name, "w:gz") as packed:
        for part, name in lists.items():
            _add(packed, name, "".join(f"{path}\n" for path, _ in _clips(part)).encode())
        for part in PEOPLE:
            for path, hertz in _clips(part):
                _add(packed, path, _wav(hum(hertz, 0.9)))


def _clips(part: str) -> Iterator[tuple[str, float]]:
    """Cada palabra, dicha una vez por cada persona: cada una a su altura."""
    for number, word in enumerate(COMMANDS):
        for place, person in enumerate(PEOPLE[part]):
            yield f"{word}/{person}_nohash_0.wav", 200 + 60 * number + 7 * place


def _wav(wave: np.ndarray, rate: int = RATE) -> bytes:
    content = io.BytesIO()
    soundfile.write(content, wave, rate, format="WAV", subtype="PCM_16")
    return content.getvalue()


def _add(packed: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(f"./{name}")
    member.size = len(content)
    packed.addfile(member, io.BytesIO(content))


def make_librimix(folder: Path) -> None:
    """Libri2Mix a 8 kHz y en modo «min»: por parte, una carpeta por voz y otra con la mezcla."""
    for part in ("train-100", "dev", "test"):
        for number in range(3):
            name = f"{100 + number}-1-0000_{200 + number}-1-0000.wav"
            seconds = 0.3 + 0.05 * number
            voices = {f"s{k}": hum(120 * k + 20 * number, seconds, 8_000) for k in (1, 2)}
            for kind, wave in (voices | {"mix_clean": sum(voices.values())}).items():
                place = folder / part / kind
                place.mkdir(parents=True, exist_ok=True)
                soundfile.write(place / name, wave, 8_000, subtype="PCM_16")


def make_common_voice(folder: Path) -> None:
    """Common Voice: una lista por parte, con tabuladores, y los MP3 en `clips`."""
    (folder / "clips").mkdir(exist_ok=True)
    head = "client_id\tpath\tsentence_id\tsentence\tup_votes\tdown_votes\tlocale"
    for part, n_clips in (("train", 4), ("dev", 2), ("test", 3)):
        lines = [head]
        for number in range(n_clips):
            name, text = f"common_voice_es_{part}_{number}.mp3", f"Hola, {'sol ' * (number + 1)}."
            soundfile.write(folder / "clips" / name, hum(200 + 40 * number, 0.6, 32_000), 32_000)
            lines.append(f"{part}{number}\t{name}\t{number:064x}\t{text}\t2\t0\tes")
        (folder / f"{part}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def make_whisper(folder: Path, name: str = "openai/whisper-tiny", n_mels: int = 80) -> None:
    """Un Whisper diminuto y sin entrenar, guardado por transformers como los oficiales."""
    from transformers import WhisperConfig, WhisperForConditionalGeneration, WhisperTokenizer

    inside = folder / name
    letters = [*(chr(code) for code in range(33, 127)), "Ġ"]
    names = ("endoftext", "startoftranscript", "es", "translate", "transcribe", "notimestamps")
    marks = [f"<|{name}|>" for name in names]
    ids = {token: number for number, token in enumerate([*letters, *marks])}
    tokenizer = WhisperTokenizer(vocab=ids, merges=[], additional_special_tokens=marks[1:])
    tokenizer.save_pretrained(inside)
    first = len(letters)
    config = WhisperConfig(
        vocab_size=len(ids), num_mel_bins=n_mels, d_model=8, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=8,
        decoder_ffn_dim=8, max_target_positions=32, pad_token_id=first, bos_token_id=first,
        eos_token_id=first, decoder_start_token_id=first + 1,
    )  # fmt: skip
    save_untrained(inside, lambda: WhisperForConditionalGeneration(config))


MAKERS = {
    "Common Voice en español": make_common_voice,
    "Whisper tiny": make_whisper,
    "Speech Commands": make_speech_commands,
    "Libri2Mix": make_librimix,
}
