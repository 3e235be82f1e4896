"""A escala real: preentrenar con miles de voces sin etiquetas y ajustar con unas pocas."""

from dataclasses import dataclass, field
from pathlib import Path

from tfcourse.audio.mel import VARIANTS as MELS
from tfcourse.datasets.folders.speech_commands import (
    SPEECH_COMMANDS_SOURCE,
    WORDS,
    CommandClips,
)
from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.models.wav2vec2 import Wav2Vec2
from tfcourse.sound.spectrograms.metrics import majority_accuracy, word_accuracy
from tfcourse.sound.unlabelled import few_labels
from tfcourse.sound.unlabelled.few_labels import (
    few_clips,
    log_mel_vectors,
    probe_accuracy,
    untrained,
    wav2vec_vectors,
)
from tfcourse.sound.unlabelled.published import RUN as PUBLISHED
from tfcourse.sound.unlabelled.recipe import Recipe, train
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device


@dataclass(frozen=True)
class Full:
    """Pasos de las dos etapas, lotes, cada cuánto se guarda, etiquetas por palabra y tamaños.

    Las convoluciones dan un vector cada 20 milésimas a 16 kHz, como en el artículo; la red es
    menor.
    """

    steps: int = 40_000
    batch_size: int = 128
    n_distractors: int = 100
    tuning_steps: int = 2_000
    tuning_batch: int = 64
    save_every: int = 1_000
    words: tuple = WORDS
    per_word: tuple = (10, 100)
    size: dict = field(
        default_factory=lambda: {
            "channels": (256,) * 7, "kernels": (10, 3, 3, 3, 3, 2, 2),
            "strides": (5, 2, 2, 2, 2, 2, 2), "d_model": 256, "n_heads": 4, "n_layers": 6,
            "d_hidden": 1_024, "position_kernel": 33, "position_groups": 16, "n_groups": 2,
            "n_codes": 160, "d_code": 128,
        }
    )  # fmt: skip


REHEARSAL = Full(
    steps=4, batch_size=4, n_distractors=3, tuning_steps=2, tuning_batch=2, save_every=1,
    words=("yes", "no"), per_word=(1, 2),
    size={
        "channels": (4, 4), "kernels": (32, 10), "strides": (32, 10), "d_model": 8, "n_heads": 2,
        "n_layers": 1, "d_hidden": 8, "position_kernel": 3, "position_groups": 2, "n_groups": 2,
        "n_codes": 4, "d_code": 4,
    },
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto en la parte de evaluar de Speech Commands según cuántas etiquetas haya.

    Se preentrena con todas las voces de entrenar, sin mirar qué dicen. Con una semilla.
    """
    known = CommandClips("training", settings.words)
    test = CommandClips("testing", settings.words).take()
    recipe = Recipe(
        settings.size, settings.steps, settings.batch_size, n_distractors=settings.n_distractors
    )
    point = Checkpoint(folder / "preentrenado.safetensors", settings.save_every)
    learnt = train(recipe, 0, data=known, checkpoint=point).model.wav2vec2
    rows = {
        "la palabra más frecuente": lambda few: majority_accuracy(few.labels, test.labels),
        "log-mel y lineal": lambda few: probe_accuracy(log_mel_vectors(MELS["whisper"]), few, test),
        "de cero": lambda few: tuned_accuracy(settings, untrained(learnt), few, test, folder),
        "preentrenado, sonda": lambda few: probed_accuracy(learnt, few, test),
        "preentrenado": lambda few: tuned_accuracy(settings, learnt, few, test, folder, "con"),
    }
    few = {number: few_clips(known, number, seed=0) for number in settings.per_word}
    return [
        {"comienzo": name} | {f"con {n} por palabra": score(few[n]) for n in settings.per_word}
        for name, score in rows.items()
    ]


def tuned_accuracy(
    settings: Full,
    start: Wav2Vec2,
    few: SpokenWords,
    test: SpokenWords,
    folder: Path,
    pretraining: str = "sin",
) -> float:
    """Acierto después de ajustar un modelo con esos clips; los pasos son los mismos para todos."""
    recipe = few_labels.Recipe(settings.tuning_steps, settings.tuning_batch)
    name = f"{pretraining}_preentrenar_{len(few)}.safetensors"
    point = Checkpoint(folder / name, settings.save_every)
    model = few_labels.train(recipe, 0, start=start, data=few, checkpoint=point).model
    return word_accuracy(model.to(default_device()), test)


def probed_accuracy(start: Wav2Vec2, few: SpokenWords, test: SpokenWords) -> float:
    """Acierto de una sonda lineal sobre los vectores de contexto, que no se mueven."""
    accuracy = probe_accuracy(wav2vec_vectors(start.to(default_device())), few, test)
    start.cpu()
    return accuracy


RUNS = {
    "habla_sin_etiquetas": FullRun(
        name="habla_sin_etiquetas",
        title="Speech Commands con pocas etiquetas, acierto al evaluar",
        sources=(SPEECH_COMMANDS_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=12,
        hours=5,
    ),
    "wav2vec_publicado": PUBLISHED,
}
