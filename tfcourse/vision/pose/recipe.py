"""Recetas de una figura: tres cabezas, en imágenes suyas o en recortes de imágenes con varias."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.scenes.figures import (
    CROWD,
    ONE_FIGURE,
    FigureConfig,
    Figures,
    figure_batches,
    reserved_figures,
)
from tfcourse.geometry.crops import crop_boxes, squares_around
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.training import History, seed_everything
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.pose.metrics import Poses, keypoint_precision, pck
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights

N_TEST, SHIPPED_TEST = 500, 300
SOURCE = "figuras articuladas generadas por el curso (CC0 1.0)"
SHAKE = 0.08  # cuánto se mueven las cajas al entrenar con recortes, en partes de su lado


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Con qué cabeza, con qué figuras y a qué ritmo; los pasos son los de un entrenamiento corto.

    Si las imágenes tienen varias figuras, se entrena con un recorte de cada una.
    """

    head: str = "SimCC"
    steps: int = 450
    batch_size: int = 16
    muon_lr: float = 0.02
    adam_lr: float = 2e-3
    figures: FigureConfig = ONE_FIGURE
    betas = (0.9, 0.98)
    warmup = 0.1


def build(recipe: Recipe) -> KeypointTransformer:
    """Un modelo sin entrenar, con la cabeza de la receta."""
    return KeypointTransformer(PoseConfig(head=recipe.head))


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin de una sola figura: la imagen entera o, si hay varias en ella, su recorte."""
    make = single_batches if recipe.figures.max_figures == 1 else crop_batches
    return make(recipe.batch_size, seed, recipe.figures)


def single_batches(
    batch_size: int, seed: int, config: FigureConfig = ONE_FIGURE
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes de una sola figura por imagen. Las tapadas también están anotadas."""
    for figures in figure_batches(batch_size, seed, config):
        points = figures.keypoints[:, 0]
        yield figures.images, points, torch.ones_like(points[..., 0], dtype=torch.bool)


def crop_batches(
    batch_size: int, seed: int, config: FigureConfig = CROWD, size: int = 64
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes de recortes de imágenes con varias figuras, con la caja movida un poco."""
    generator = torch.Generator().manual_seed(seed + 1)
    # De cada imagen salen dos recortes, de media: casi siempre llega; si no, el lote es menor.
    for figures in figure_batches(batch_size // 2 + 2, seed, config):
        owners, which = figures.present.nonzero(as_tuple=True)
        chosen = torch.randperm(len(owners), generator=generator)[:batch_size]
        owners, which = owners[chosen], which[chosen]
        boxes = shaken(figures.boxes[owners, which], SHAKE, generator)
        squares = squares_around(boxes)
        points = squares.into(figures.keypoints[owners, which])
        inside = ((points > 0) & (points < 1)).all(-1)
        yield crop_boxes(figures.images, owners, squares, size), points.clamp(0, 1), inside


def shaken(
    boxes: Float[Tensor, "N 4"], amount: float, generator: torch.Generator
) -> Float[Tensor, "N 4"]:
    """Las cajas, movidas y estiradas al azar: como las que da un detector."""
    drawn = 2 * torch.rand(boxes.shape, generator=generator) - 1
    moved = boxes[:, :2] + amount * drawn[:, :2] * boxes[:, 2:]
    return torch.cat([moved, boxes[:, 2:] * (1 + amount * drawn[:, 2:])], dim=1)


def pose_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """La pérdida de la cabeza en las articulaciones anotadas. Lote: imágenes, sitios y cuáles."""
    images, points, marked = batch
    return model.head.loss(model(images)[marked], points[marked])


@dataclass
class PoseModel(Trained):
    """Un modelo de una figura, entrenado, con su receta y su historia."""

    def score(self, config: FigureConfig = ONE_FIGURE, n_images: int = N_TEST) -> dict[str, float]:
        """PCK@0.1 en imágenes reservadas de una figura: todas, las visibles y las tapadas."""
        test = reserved_figures(n_images, config)
        found, _ = self.model.locate(test.images)
        return single_score(found, test)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> PoseModel:
    """Entrena un modelo de una figura; sin `budget`, los pasos de la receta."""
    done = trained(partial(build, recipe), batches(recipe, seed), pose_loss, recipe, seed, budget)
    return PoseModel(done.model, recipe, done.history)


def single_score(found: Float[Tensor, "B K 2"], test: Figures) -> dict[str, float]:
    """PCK@0.1 de la primera figura de cada imagen: todas las articulaciones, visibles y tapadas."""
    points, sides = test.keypoints[:, 0], test.boxes[:, 0, 2:].amax(dim=1)
    seen = test.visible[:, 0]
    return {
        "PCK": pck(found, points, sides),
        "visibles": pck(found, points, sides, count=seen),
        "tapadas": pck(found, points, sides, count=~seen),
        "PCK@0.05": pck(found, points, sides, alpha=0.05),
    }


def average_pose(test: Figures) -> Float[Tensor, "B K 2"]:
    """La referencia de no mirar: la pose media de todas las figuras, la misma en cada imagen."""
    points = test.keypoints[:, 0]
    return points.mean(dim=0).expand_as(points)


@torch.no_grad()
def top_down(model: KeypointTransformer, figures: Figures, boxes: Tensor | None = None) -> Poses:
    """De arriba abajo: recorta cada caja, le busca las articulaciones y las lleva a la imagen.

    Sin `boxes`, usa las cajas verdaderas. La confianza es la media de las de las articulaciones.
    """
    owners, which = figures.present.nonzero(as_tuple=True)
    squares = squares_around((figures.boxes if boxes is None else boxes)[owners, which])
    size = model.config.image_size
    found, confidence = model.locate(crop_boxes(figures.images, owners, squares, size))
    return Poses(owners, squares.out_of(found), confidence.mean(dim=1))


def precision(find, model: nn.Module) -> dict[str, float]:
    """AP y AP50 de las poses que `find(model, figuras)` dice en imágenes reservadas con varias."""
    test = reserved_figures(SHIPPED_TEST, CROWD)
    measured = keypoint_precision(find(model, test), test)
    return {key: measured[key] for key in ("AP", "AP50")}


def untrained_precision(find, build) -> dict[str, float]:
    """El punto de comparación: lo que dice el mismo modelo antes de aprender nada."""
    seed_everything(0)
    return {"AP sin entrenar": max(0.0, precision(find, build().eval())["AP"])}


# Los pesos que vienen con el curso: el modelo de una figura, con recortes de varias.
CROPS = Recipe(steps=1_500, figures=CROWD)


def _noted(done: Trained) -> dict:
    """La receta sin la cabeza, que va con los tamaños del modelo."""
    return {key: value for key, value in asdict(done.recipe).items() if key != "head"}


WEIGHTS = {
    "pose_simcc": Shipped(
        train=partial(train, CROPS, 0),
        score=partial(precision, top_down),
        blind=partial(untrained_precision, top_down, partial(build, CROPS)),
        data=SOURCE,
        recipe=_noted,
    )
}


def load(name: str) -> PoseModel:
    """El modelo de una figura que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = build(CROPS).eval()
    load_weights(name, model)
    return PoseModel(model, CROPS, History())
