"""A escala real: reconocer palabras de miles de personas, aprendiendo con ruido y sin él."""

from dataclasses import dataclass, field
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.mel import VARIANTS as MELS
from tfcourse.datasets.folders.speech_commands import (
    SPEECH_COMMANDS_SOURCE,
    WORDS,
    CommandClips,
)
from tfcourse.datasets.sounds.spoken_words import SoundChanges
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.sound.spectrograms.metrics import (
    logistic_accuracy,
    majority_accuracy,
    mean_spectra,
    with_noise,
    word_accuracy,
)
from tfcourse.sound.spectrograms.recipe import NOISY, Recipe, train
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device

PART = 4_096  # clips que se leen a la vez para resumirlos


@dataclass(frozen=True)
class Full:
    """Cuántos pasos, con qué lote, cada cuánto se guarda, qué palabras y el tamaño de la red.

    `noise_db` es el ruido con que se vuelve a medir. Las recetas solo cambian en `changes`.
    """

    steps: int = 20_000
    batch_size: int = 256
    save_every: int = 1_000
    words: tuple = WORDS
    noise_db: float = 10.0
    network: dict = field(
        default_factory=lambda: {"d_model": 192, "n_heads": 4, "n_layers": 6, "d_hidden": 768}
    )
    recipes: dict = field(default_factory=lambda: {"sin ruido": SoundChanges(), "con ruido": NOISY})


REHEARSAL = Full(
    steps=4,
    batch_size=4,
    save_every=1,
    words=("yes", "no"),
    network={"d_model": 8, "n_heads": 2, "n_layers": 1, "d_hidden": 8},
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto en la parte de evaluar de Speech Commands, tal cual y con ruido, con una semilla."""
    mel, column = MELS["whisper"], f"con ruido a {settings.noise_db:g} dB"
    known = CommandClips("training", settings.words)
    test = CommandClips("testing", settings.words).take()
    tests = {"acierto": test, column: with_noise(test, settings.noise_db)}
    most = majority_accuracy(known.labels, test.labels)
    rows = [{"modelo": "la palabra más frecuente", "parámetros": "", "acierto": most, column: most}]
    spectra = summaries(known)
    rows.append({"modelo": "lineal, media del log-mel", "parámetros": ""} | {
        name: logistic_accuracy(spectra, known.labels, mean_spectra(data, mel), data.labels)
        for name, data in tests.items()
    })  # fmt: skip
    for name, changes in settings.recipes.items():
        recipe = Recipe(settings.steps, settings.batch_size, changes=changes)
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        model = train(recipe, 0, data=known, checkpoint=point, mel=mel, **settings.network).model
        model.to(default_device())
        rows.append({"modelo": f"Transformer, {name}", "parámetros": n_parameters(model)} | {
            column: word_accuracy(model, data) for column, data in tests.items()
        })  # fmt: skip
    return rows


def summaries(clips: CommandClips) -> Float[Tensor, "N mels"]:
    """La media en el tiempo del log-mel de cada clip, sin tenerlos todos en memoria."""
    parts = torch.arange(len(clips)).split(PART)
    return torch.cat([mean_spectra(clips.take(rows), MELS["whisper"]) for rows in parts])


RUNS = {
    "palabras": FullRun(
        name="palabras",
        title="Speech Commands, treinta y cinco palabras, acierto al evaluar",
        sources=(SPEECH_COMMANDS_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=4,
        hours=2,
    )
}
