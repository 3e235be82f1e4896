"""La receta para reconocer palabras sueltas: un codificador sobre log-mel."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from torch import Tensor

from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.speech_commands import CommandClips
from tfcourse.datasets.sounds.spoken_words import SoundChanges, SpokenWords, sound_batches
from tfcourse.models.sound_classifier import SoundClassifier, SoundConfig
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, classification_loss, trained

NOISY = SoundChanges(noise_db=(0.0, 60.0))


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena un clasificador de sonidos: pasos, lote, ritmos y cambios al azar."""

    steps: int = 400
    batch_size: int = 16
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    changes: SoundChanges = field(default_factory=SoundChanges)


def build(recipe: Recipe, n_words: int, **sizes) -> SoundClassifier:
    """Un clasificador de `n_words` palabras; `sizes` son los tamaños de `SoundConfig`."""
    return SoundClassifier(SoundConfig(n_words, **sizes))


def batches(
    recipe: Recipe, seed: int, data: SpokenWords | CommandClips
) -> Iterable[tuple[Tensor, Tensor]]:
    """Lotes sin fin de `(ondas, palabras)`, con los cambios al azar de la receta.

    Los clips que no están en memoria se leen por adelantado.
    """
    if isinstance(data, SpokenWords):
        return sound_batches(data, recipe.batch_size, changes=recipe.changes, seed=seed)
    return EndlessLoader(data.with_changes(recipe.changes), recipe.batch_size, seed=seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: SpokenWords | CommandClips,
    checkpoint: Checkpoint | None = None,
    **sizes,
) -> Trained:
    """Construye un clasificador y lo entrena con unos clips."""
    return trained(
        lambda: build(recipe, len(data.words), **sizes), batches(recipe, seed, data),
        classification_loss, recipe, seed, budget, checkpoint=checkpoint,
    )  # fmt: skip
