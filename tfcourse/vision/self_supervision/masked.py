"""La receta de MAE: tapar parches de cada cifra y aprender a pintarlos."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.pictures.augmentation import Augmentation, moved_batches
from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.models.masked_autoencoder import MAEConfig, MaskedAutoencoder, random_masking
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.classification.recipe import SOURCE
from tfcourse.vision.self_supervision.few_labels import ENCODER, features_of, few_label_score
from tfcourse.vision.self_supervision.losses import patch_targets, reconstruction_loss
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos, qué parte se tapa y cómo es lo que hay que pintar.

    Con `normed`, cada parche se pide sin su media ni su escala. `options` cambia los tamaños de
    `MAEConfig`.
    """

    steps: int = 1_000
    batch_size: int = 128
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    share: float = 0.6
    normed: bool = False
    moves: Augmentation | None = field(default_factory=Augmentation)
    options: dict = field(default_factory=lambda: dict(ENCODER))


class Covered(NamedTuple):
    """Un lote: las imágenes, los números de los parches que se ven y cuáles están tapados."""

    images: Float[Tensor, "B C H W"]
    kept: Int[Tensor, "B K"]
    hidden: Bool[Tensor, "B N"]


def build(recipe: Recipe) -> MaskedAutoencoder:
    """El MAE de la receta, sin entrenar."""
    return MaskedAutoencoder(MAEConfig(**recipe.options))


def batches(
    recipe: Recipe, seed: int, images: Float[Tensor, "N C H W"] | None = None
) -> Iterator[Covered]:
    """Lotes sin fin de imágenes con parches tapados al azar; sus clases no se miran."""
    images = split_digits()[0].images if images is None else images
    rows, columns = MAEConfig(**recipe.options).encoder.grid
    generator = torch.Generator().manual_seed(seed + 2)
    size, numbers = min(recipe.batch_size, len(images)), torch.arange(len(images))
    for some, _ in moved_batches(images, numbers, size, moves=recipe.moves, seed=seed):
        noise = torch.rand(len(some), rows * columns, generator=generator)
        yield Covered(some, *random_masking(noise, recipe.share))


def masked_loss(
    model: MaskedAutoencoder, batch: Covered, *, size: int = 2, normed: bool = False
) -> Float[Tensor, ""]:
    """Lo que se equivoca el modelo al pintar lo tapado de un lote."""
    painted = model(batch.images, batch.kept)
    targets = patch_targets(batch.images, size, normed=normed)
    return reconstruction_loss(painted, targets, batch.hidden)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    images: Float[Tensor, "N C H W"] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Entrena el MAE de la receta; con `images`, con esas en lugar de las cifras de entrenar."""
    size = MAEConfig(**recipe.options).patch_size
    return trained(
        partial(build, recipe), batches(recipe, seed, images),
        partial(masked_loss, size=size, normed=recipe.normed), recipe, seed, budget,
        checkpoint=checkpoint,
    )  # fmt: skip


@torch.no_grad()
def paint(
    model: MaskedAutoencoder, images: Float[Tensor, "B C H W"], share: float, seed: int = 0
) -> tuple[Float[Tensor, "B C H W"], Bool[Tensor, "B N"]]:
    """Tapa parte de unas imágenes y las completa: lo pintado, y qué parches estaban tapados.

    En los parches a la vista quedan los píxeles de verdad. Es para un modelo que pinta píxeles, y
    no parches sin su escala.
    """
    rows, columns = model.config.encoder.grid
    generator = torch.Generator().manual_seed(seed)
    noise = torch.rand(len(images), rows * columns, generator=generator)
    kept, hidden = random_masking(noise, share)
    painted = model.eval()(images, kept).clamp(0, 1)
    whole = torch.where(hidden[..., None], painted, patch_targets(images, model.config.patch_size,
                                                                  normed=False))  # fmt: skip
    return model.drawn(whole), hidden


SHIPPED = Recipe()


def _score(model: MaskedAutoencoder) -> dict[str, float]:
    return few_label_score(features_of(model.encoder))


def _untrained() -> dict[str, float]:
    torch.manual_seed(0)
    found = _score(build(SHIPPED))
    return {f"{name}, sin entrenar": value for name, value in found.items()}


WEIGHTS = {
    "mae_cifras": Shipped(
        train=lambda: train(SHIPPED, 0), score=_score, blind=_untrained, data=SOURCE
    )
}


def load(name: str) -> MaskedAutoencoder:
    """El MAE que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = MaskedAutoencoder(MAEConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return model
