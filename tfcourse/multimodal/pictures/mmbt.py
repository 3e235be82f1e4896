"""La receta de MMBT: el grupo de un dibujo por lo que se ve, por su nombre o por las dos cosas."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.pictures.named_pictures import NamedPictures, picture_batches
from tfcourse.datasets.pictures.openmoji import GROUP_NAMES
from tfcourse.datasets.text.masking import CLS, SEP
from tfcourse.models.mmbt import Mmbt, MmbtConfig
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se ajusta: pasos, lote, ritmos, bloques de BERT y lado del trozo de imagen."""

    steps: int = 150
    batch_size: int = 64
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    n_layers: int = 2
    cell: int = 8


def words_only(tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """El nombre sin el [CLS] de delante, que en MMBT va antes de la imagen."""
    return tokens[:, 1:], lengths - 1


def group_loss(model: Mmbt, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada media de un lote `(imágenes, tokens, longitudes, grupos)`."""
    images, tokens, lengths, groups = batch
    return F.cross_entropy(model(images, *words_only(tokens, lengths)), groups)


def build(recipe: Recipe, sight: str = "las dos") -> Mmbt:
    """Un MMBT que parte del BERT en español del curso, sin ajustar."""
    masked, tokenizer = load_bert("bert_espanol")
    special = {
        f"{name}_id": tokenizer.token_id(token) for name, token in (("cls", CLS), ("sep", SEP))
    }
    config = MmbtConfig(
        len(GROUP_NAMES), **special, sight=sight, cell=recipe.cell, n_layers=recipe.n_layers
    )
    return Mmbt(masked.bert, config)


def batches(recipe: Recipe, seed: int, pairs: NamedPictures) -> Iterator[tuple]:
    """Lotes sin fin de esas parejas: `(imágenes, tokens, longitudes, grupos)`."""
    return picture_batches(pairs, recipe.batch_size, seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    pairs: NamedPictures,
    sight: str = "las dos",
) -> Trained:
    """Construye y ajusta un MMBT con esas parejas; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe, sight), batches(recipe, seed, pairs), group_loss,
        recipe, seed, budget,
    )  # fmt: skip


@torch.no_grad()
def group_logits(model: Mmbt, pairs: NamedPictures) -> Float[Tensor, "N K"]:
    """Lo que contesta el modelo a cada pareja."""
    model.eval()
    parts = zip(*(part.split(100) for part in pairs.tensors()[:3]), strict=True)
    return torch.cat([model(x, *words_only(tokens, n)) for x, tokens, n in parts])


def group_accuracy(model: Mmbt, pairs: NamedPictures) -> float:
    """Parte de las parejas cuyo grupo acierta."""
    return float((group_logits(model, pairs).argmax(dim=1) == pairs.groups).float().mean())
