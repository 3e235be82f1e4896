"""La receta de la fusión: entrenar una variante con parejas de imagen y voz estropeadas."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.sounds.digit_pairs import Damage, DigitPools, pair_batches, split_pools
from tfcourse.models.fusion import FusionClassifier, FusionConfig
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, trained


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos, daño y con qué probabilidad se quita una modalidad."""

    steps: int = 150
    batch_size: int = 48
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    modality_dropout: float = 0.0
    damage: Damage = field(default_factory=Damage)


def fusion_loss(model: FusionClassifier, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada media de un lote `(imágenes, ondas, qué llega, cifras)`."""
    images, waves, present, labels = batch
    return F.cross_entropy(model(images, waves, present), labels)


def build(recipe: Recipe, variant: str, **sizes) -> FusionClassifier:
    """Una variante sin entrenar, con los tamaños del aula o los que se den; la receta no los dice.

    Errores: los de `FusionConfig`.
    """
    return FusionClassifier(FusionConfig(variant, **sizes))


def batches(recipe: Recipe, seed: int, pools: DigitPools | None = None) -> Iterator[tuple]:
    """Parejas estropeadas al vuelo, sin fin; si no se da de dónde, de las de entrenar."""
    return pair_batches(
        pools or split_pools()[0], recipe.batch_size, recipe.damage,
        dropout=recipe.modality_dropout, seed=seed,
    )  # fmt: skip


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    variant: str,
    pools: DigitPools | None = None,
    checkpoint: Checkpoint | None = None,
    **sizes,
) -> Trained:
    """Construye y entrena una variante; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe, variant, **sizes), batches(recipe, seed, pools), fusion_loss,
        recipe, seed, budget, checkpoint=checkpoint,
    )  # fmt: skip
