"""El wav2vec 2.0 publicado, en nuestra clase: qué letras lee en las mismas palabras sueltas."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from tfcourse.datasets.folders.loading import default_workers
from tfcourse.datasets.folders.speech_commands import (
    SPEECH_COMMANDS_SOURCE,
    WORDS,
    CommandClips,
)
from tfcourse.metrics.edit_distance import edit_distance, error_rate
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.official.shown import find_official, official_source
from tfcourse.sound.unlabelled.dictation import best_path
from tfcourse.stored.full import FullRun
from tfcourse.training.loop import default_device

SPACE = "|"  # lo que separa dos palabras en sus letras


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican, y qué palabras se les dicen."""

    names: tuple[str, ...]
    words: tuple = WORDS
    batch_size: int = 64


def measure(settings: Published, folder: Path) -> list[dict]:
    """Lo que se lee en la parte de evaluar de Speech Commands, letra a letra.

    «tal cual» es la parte de los clips en que lo leído es la palabra, sin que falte ni sobre una
    letra; «la más parecida», la parte en que, de las palabras que puede ser, la de menos cambios es
    la que se dijo. La primera fila contesta siempre lo más frecuente.
    """
    test = CommandClips("testing", settings.words)
    said = [test.words[label] for label in test.labels.tolist()]
    commonest = Counter(said).most_common(1)[0][0]
    rows = [{"modelo": "la palabra más frecuente", "parámetros": ""}]
    rows[0] |= scores([commonest] * len(said), said, test.words)
    for name in settings.names:
        found = find_official(name)
        model = found.model.float().to(default_device())
        written = readings(model, letters(found.folder), test, settings.batch_size)
        row = {"modelo": name, "parámetros": n_parameters(model)}
        rows.append(row | scores(written, said, test.words))
    return rows


def letters(folder: Path) -> dict[int, str]:
    """Qué letra es cada número: lo dice `vocab.json`, que va con los pesos."""
    numbers = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    return {number: letter for letter, number in numbers.items()}


@torch.no_grad()
def readings(model: nn.Module, letter: dict[int, str], clips, batch_size: int) -> list[str]:
    """Lo que se lee en el mejor camino de cada clip, en minúsculas."""
    device, written = next(model.parameters()).device, []
    loader = DataLoader(clips, batch_size, num_workers=default_workers())
    for waves, _ in loader:
        for logits in model(waves.to(device)).cpu():
            text = "".join(letter[symbol] for symbol in best_path(logits))
            written.append(text.replace(SPACE, " ").strip().casefold())
    return written


def scores(written: list[str], said: list[str], words: tuple[str, ...]) -> dict[str, float]:
    """Las tres medidas: errores por letra, acierto tal cual y acierto de la más parecida."""
    nearest = {
        text: min(words, key=lambda word: edit_distance(text, word)) for text in set(written)
    }
    pairs = list(zip(written, said, strict=True))
    return {
        "CER": error_rate(written, said),
        "tal cual": sum(text == word for text, word in pairs) / len(pairs),
        "la más parecida": sum(nearest[text] == word for text, word in pairs) / len(pairs),
    }


MODELS = ("facebook/wav2vec2-base-960h",)
RUN = FullRun(
    name="wav2vec_publicado",
    title="wav2vec 2.0 publicado, en nuestra clase: las palabras de Speech Commands, sin entrenar",
    sources=(SPEECH_COMMANDS_SOURCE, *map(official_source, MODELS)),
    settings=Published(MODELS),
    rehearsal=Published(MODELS, words=("yes", "no"), batch_size=2),
    measure=measure,
    gpu_gigabytes=4,
    hours=0.1,
    trains=False,
)
