"""Recetas de MMBT: el grupo de un dibujo por lo que se ve, por su nombre o por las dos cosas."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.bert_recipes import shipped_bert
from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.masking import CLS, SEP
from tfcourse.datasets.named_pictures import NamedPictures, encode_pictures, picture_batches
from tfcourse.datasets.pictures import GROUP_NAMES, split_pictures
from tfcourse.models.mmbt import Mmbt, MmbtConfig
from tfcourse.training import History, seed_everything

N_TEST = 400


@dataclass(frozen=True)
class MmbtRecipe:
    """Cómo se ajusta: pasos, lote, ritmos, bloques de BERT y lado del trozo de imagen."""

    steps: int = 150
    batch_size: int = 64
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    n_layers: int = 2
    cell: int = 8


def split_named(seed: int = 0, n_test: int = N_TEST) -> tuple[NamedPictures, NamedPictures]:
    """Parejas para entrenar y para evaluar, sin familias en común, con el tokenizador de BERT."""
    _, tokenizer = shipped_bert()
    train, test = split_pictures(n_test, seed)
    return encode_pictures(train, tokenizer), encode_pictures(test, tokenizer)


def words_only(tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """El nombre sin el [CLS] de delante, que en MMBT va antes de la imagen."""
    return tokens[:, 1:], lengths - 1


def group_loss(model: Mmbt, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada media de un lote `(imágenes, tokens, longitudes, grupos)`."""
    images, tokens, lengths, groups = batch
    return F.cross_entropy(model(images, *words_only(tokens, lengths)), groups)


def build_mmbt(sight: str, recipe: MmbtRecipe | None = None) -> Mmbt:
    """Un MMBT que parte del BERT en español del curso, sin ajustar."""
    recipe = recipe or MmbtRecipe()
    masked, tokenizer = shipped_bert()
    special = {
        f"{name}_id": tokenizer.token_id(token) for name, token in (("cls", CLS), ("sep", SEP))
    }
    config = MmbtConfig(
        len(GROUP_NAMES), **special, sight=sight, cell=recipe.cell, n_layers=recipe.n_layers
    )
    return Mmbt(masked.bert, config)


def trained_mmbt(
    sight: str, seed: int, train: NamedPictures, recipe: MmbtRecipe | None = None
) -> tuple[Mmbt, History]:
    """Construye y ajusta un MMBT; devuelve el modelo, en la CPU, y la historia."""
    seed_everything(seed)
    recipe = recipe or MmbtRecipe()
    model = build_mmbt(sight, recipe)
    history = fit_with_muon(
        model, picture_batches(train, recipe.batch_size, seed), group_loss, recipe
    )
    return model.cpu().eval(), history


@torch.no_grad()
def group_logits(model: Mmbt, pairs: NamedPictures) -> Float[Tensor, "N K"]:
    """Lo que contesta el modelo a cada pareja."""
    model.eval()
    parts = zip(*(part.split(100) for part in pairs.tensors()[:3]), strict=True)
    return torch.cat([model(x, *words_only(tokens, n)) for x, tokens, n in parts])


def group_accuracy(model: Mmbt, pairs: NamedPictures) -> float:
    """Parte de las parejas cuyo grupo acierta."""
    return float((group_logits(model, pairs).argmax(dim=1) == pairs.groups).float().mean())
