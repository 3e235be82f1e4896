"""Dibujos con nombre: el mismo DiT, al que se le dice un nombre en español en lugar de una clase."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.datasets.pictures.named_pictures import MAX_LENGTH
from tfcourse.datasets.pictures.openmoji import Pictures, split_pictures
from tfcourse.datasets.text.article_topics import encode_texts
from tfcourse.models.classifier import mean_state
from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.multimodal.flow.losses import image_flow_loss
from tfcourse.multimodal.flow.recipe import Recipe, batches
from tfcourse.multimodal.pictures.clip import N_TEST
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import Trained, trained

SIZES = {"image_size": 32, "patch_size": 4, "channels": 3, "d_model": 128, "d_hidden": 384}
RECIPE = Recipe(steps=1_000, batch_size=32, options=SIZES | {"n_layers": 4})
SPLIT = 0  # el reparto con que se entrenó «clip_dibujos», que hará de juez


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


@dataclass(frozen=True)
class NamedData:
    """Los dibujos de entrenar y los reservados, y el vector de cada nombre, en ese orden.

    Un nombre es su lugar: primero los de entrenar y después los reservados.
    """

    train: Pictures
    held_out: Pictures
    vectors: Float[Tensor, "N d"]

    @property
    def examples(self) -> LabelledImages:
        """Los dibujos de entrenar, cada uno con el número de su nombre."""
        return LabelledImages(self.train.images, torch.arange(len(self.train)))


@torch.no_grad()
def name_vectors(names: Sequence[str]) -> Float[Tensor, "N d"]:
    """La media de lo que da el BERT del curso al leer cada nombre, con media 0 y varianza 1."""
    masked, tokenizer = load_bert("bert_espanol")
    tokens, lengths = encode_texts(names, tokenizer, MAX_LENGTH)
    states = mean_state(masked.bert.eval()(tokens, lengths), lengths)
    return (states - states.mean(0)) / states.std(0)


@cache
def named_data() -> NamedData:
    """Los dibujos, repartidos por familias como en el capítulo de imagen y texto."""
    train, held_out = split_pictures(N_TEST, SPLIT)
    return NamedData(train, held_out, name_vectors([*train.names, *held_out.names]))


def build(recipe: Recipe, vectors: Float[Tensor, "N d"]) -> DiT:
    """El DiT de la receta, con la tabla de nombres en lugar de la de clases."""
    model = DiT(DiTConfig(len(vectors), **recipe.options))
    model.classes = NameTable(vectors, model.config.d_model)
    return model


def train(
    recipe: Recipe, seed: int, budget: Budget | None = None, *, data: NamedData | None = None
) -> Trained:
    """Entrena con los dibujos de entrenar; los reservados solo prestan su nombre."""
    data = data or named_data()
    trips = batches(recipe, seed, data.examples, len(data.vectors))
    return trained(
        partial(build, recipe, data.vectors), trips, image_flow_loss, recipe, seed, budget
    )
