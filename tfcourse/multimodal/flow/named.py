"""Un DiT al que se le dice un nombre en lugar de una clase: lo único que cambia es la tabla."""

from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.multimodal.flow.losses import image_flow_loss
from tfcourse.multimodal.flow.recipe import Recipe, batches
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import Trained, trained


class NameTable(nn.Module):
    """Tabla de nombres: del número de un nombre a su vector de anchura D.

    `vectors` (N, d) son los de un codificador de texto y no se aprenden; lo que se aprende es la
    red que los lleva a la condición. El número N es callarse: lee un vector de ceros.
    """

    def __init__(self, vectors: Float[Tensor, "N d"], d_model: int):
        super().__init__()
        self.register_buffer("vectors", F.pad(vectors, (0, 0, 0, 1)), persistent=False)
        self.hidden = nn.Linear(vectors.shape[1], d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(self, names: Int[Tensor, " B"]) -> Float[Tensor, "B D"]:
        """Un vector por nombre."""
        return self.output(F.silu(self.hidden(self.vectors[names])))


def build_named(recipe: Recipe, vectors: Float[Tensor, "N d"]) -> DiT:
    """El DiT de la receta, con la tabla de nombres en lugar de la de clases."""
    model = DiT(DiTConfig(len(vectors), **recipe.options))
    model.classes = NameTable(vectors, model.config.d_model)
    return model


def train_named(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    images: Float[Tensor, "M C H W"],
    vectors: Float[Tensor, "N d"],
) -> Trained:
    """Entrena con unas imágenes, que se llaman como los primeros `vectors`, uno cada una.

    Los demás vectores son nombres que no se ven al entrenar.
    Errores: `ValueError` si hay más imágenes que nombres.
    """
    if len(images) > len(vectors):
        raise ValueError(
            f"hay {len(images)} imágenes y {len(vectors)} nombres: hace falta un nombre por imagen"
        )
    examples = LabelledImages(images, torch.arange(len(images)))
    trips = batches(recipe, seed, examples, len(vectors))
    return trained(
        partial(build_named, recipe, vectors), trips, image_flow_loss, recipe, seed, budget
    )
