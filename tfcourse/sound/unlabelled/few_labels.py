"""Con pocas etiquetas de voz: ajustar una red, preentrenada o no, y las sondas lineales."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.mel import VARIANTS as MEL_VARIANTS
from tfcourse.audio.mel import MelConfig
from tfcourse.datasets.folders.speech_commands import CommandClips
from tfcourse.datasets.sounds.spoken_words import SoundChanges, SpokenWords, sound_batches
from tfcourse.models.sound_classifier import LogMel
from tfcourse.models.wav2vec2 import Wav2Vec2, WaveTagger
from tfcourse.sound.spectrograms.metrics import logistic_accuracy
from tfcourse.training import seed_everything
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, classification_loss, trained

SEGMENTS = 4


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se ajusta con pocas etiquetas: la misma receta, se empiece donde se empiece.

    `muon_lr` mueve las matrices y `adam_lr`, lo demás. `frozen` deja quietas las convoluciones.
    """

    steps: int = 150
    batch_size: int = 16
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.0
    frozen: bool = False
    changes: SoundChanges = field(default_factory=lambda: SoundChanges(noise_db=(20.0, 60.0)))


TUNED = Recipe()


def few_clips(data: SpokenWords | CommandClips, per_word: int, seed: int) -> SpokenWords:
    """`per_word` clips de cada palabra, al azar.

    Errores: `ValueError` si de alguna palabra no hay tantos.
    """
    generator = torch.Generator().manual_seed(seed)
    found = []
    for label, word in enumerate(data.words):
        places = (data.labels == label).nonzero()[:, 0]
        if len(places) < per_word:
            raise ValueError(
                f"de «{word}» hay {len(places)} clips y se piden {per_word}: pide menos"
            )
        found.append(places[torch.randperm(len(places), generator=generator)[:per_word]])
    return data.take(torch.cat(found))


def build(recipe: Recipe, start: Wav2Vec2, n_words: int) -> WaveTagger:
    """Una copia del modelo con una capa encima, que dice una palabra por clip."""
    return WaveTagger(copy.deepcopy(start), n_words, segments=SEGMENTS, frozen=recipe.frozen)


def batches(recipe: Recipe, seed: int, data: SpokenWords) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de `(ondas, palabras)`; con menos clips que los de un lote, todos ellos."""
    size = min(recipe.batch_size, len(data))
    return sound_batches(data, size, changes=recipe.changes, seed=seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    start: Wav2Vec2,
    data: SpokenWords,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Copia el modelo, le añade una capa y lo ajusta todo con las etiquetas que haya."""
    return trained(
        lambda: build(recipe, start, len(data.words)), batches(recipe, seed, data),
        classification_loss, recipe, seed, budget, checkpoint=checkpoint,
    )  # fmt: skip


def untrained(wav2vec2: Wav2Vec2, seed: int = 0) -> Wav2Vec2:
    """La misma red, sin entrenar."""
    seed_everything(seed)
    return Wav2Vec2(wav2vec2.config)


@torch.no_grad()
def segment_means(
    vectors: Callable[[Tensor], Tensor], data: SpokenWords, segments: int = SEGMENTS
) -> Float[Tensor, "N F"]:
    """La media de los vectores en cada trozo del clip: lo que lee una sonda lineal.

    `vectors(ondas)` da (B, D, L).
    """
    found = torch.cat([vectors(part) for part in data.waves.split(200)])
    return F.adaptive_avg_pool1d(found, segments).flatten(1)


def wav2vec_vectors(wav2vec2: Wav2Vec2) -> Callable[[Tensor], Tensor]:
    """Los vectores de contexto, con el tiempo al final; se calculan donde esté el modelo."""
    device = next(wav2vec2.parameters()).device
    return lambda waves: wav2vec2.eval()(waves.to(device)).mT.cpu()


def probe_accuracy(
    vectors: Callable[[Tensor], Tensor], train: SpokenWords, test: SpokenWords
) -> float:
    """Sonda lineal: regresión logística sobre unos vectores que no se mueven."""
    known, unseen = segment_means(vectors, train), segment_means(vectors, test)
    return logistic_accuracy(known, train.labels, unseen, test.labels)


def log_mel_vectors(mel: MelConfig = MEL_VARIANTS["aula"]) -> LogMel:
    """El log-mel del capítulo de señales: aquí no se aprende nada."""
    return LogMel(mel)
