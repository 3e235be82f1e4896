"""Recetas para clasificar imágenes con un Vision Transformer o con una red convolucional."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from torch import Tensor, nn

from tfcourse.datasets.pictures.augmentation import Augmentation, image_batches
from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.training import History
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import (
    MuonRecipe,
    Trained,
    classification_loss,
    fit_with_muon,
    trained,
)
from tfcourse.vision.classification.metrics import image_accuracy, majority_accuracy
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights

NETWORKS = {"ViT": (ViT, ViTConfig), "CNN": (SmallCnn, CnnConfig)}


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena un clasificador de imágenes: pasos, lote, ritmos y aumento de datos.

    `network` es la red, una de `NETWORKS`, y `options`, lo que cambia de su tamaño de aula.
    """

    steps: int = 400
    batch_size: int = 64
    muon_lr: float = 0.01
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    moves: Augmentation | None = field(default_factory=Augmentation)
    network: str = "ViT"
    options: dict = field(default_factory=dict)


# Los tres tardan menos de medio minuto; la convolucional, mucho menos.
CONTESTANTS = {
    "ViT": Recipe(steps=400),
    "ViT con tallo": Recipe(steps=250, options={"stem": "convolución"}),
    "CNN": Recipe(steps=150, network="CNN", options={"widths": (16, 32, 64)}),
}


def build(recipe: Recipe, n_classes: int = 10, **options) -> nn.Module:
    """La red de la receta, sin entrenar; `options` cambia también su tamaño.

    Errores: `ValueError` si la red no se conoce.
    """
    if recipe.network not in NETWORKS:
        raise ValueError(f"no hay ninguna red {recipe.network!r}: usa {', '.join(NETWORKS)}")
    model, config = NETWORKS[recipe.network]
    return model(config(n_classes, **recipe.options | options))


def batches(recipe: Recipe, seed: int, data: LabelledImages) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de imágenes y clases: si hay pocas imágenes, todas."""
    size = min(recipe.batch_size, len(data))
    return image_batches(data, size, moves=recipe.moves, seed=seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: LabelledImages,
    checkpoint: Checkpoint | None = None,
    **options,
) -> Trained:
    """Construye la red de la receta y la entrena con esas imágenes; `options`, las de `build`."""
    network, stream = partial(build, recipe, **options), batches(recipe, seed, data)
    return trained(
        network, stream, classification_loss, recipe, seed, budget, checkpoint=checkpoint
    )


def fit_classifier(model: nn.Module, recipe: Recipe, seed: int, data: LabelledImages) -> History:
    """Entrena según la receta una red que ya está construida."""
    return fit_with_muon(model, batches(recipe, seed, data), classification_loss, recipe)


# Los pesos que vienen con el curso: el ViT, con más pasos y con las imágenes más movidas, porque
# quien dibuja con el ratón no escribe como las trece personas del conjunto.
DRAWN = Recipe(steps=1_500, moves=Augmentation(shift=1.0, degrees=12.0, scale=0.15))
SOURCE = "cifras manuscritas de Alpaydin y Kaynak (1998), CC BY 4.0: 1400 de las de scikit-learn"


def _accuracy(model: nn.Module) -> dict[str, float]:
    """Acierto con las 397 cifras reservadas: el reparto es el del capítulo."""
    return {"acierto": image_accuracy(model, split_digits()[1])}


WEIGHTS = {
    "vit_cifras": Shipped(
        train=lambda: train(DRAWN, 0, data=split_digits()[0]),
        score=_accuracy,
        blind=lambda: {"acierto de la más frecuente": majority_accuracy(*split_digits())},
        data=SOURCE,
    )
}


def load(name: str) -> ViT:
    """El clasificador que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = build(DRAWN).eval()
    load_weights(name, model)
    return model
