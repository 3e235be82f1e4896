"""Recetas de pose: una figura con tres cabezas, y varias de arriba abajo y de abajo arriba."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.crops import crop_boxes, squares_around
from tfcourse.datasets.figures import (
    CROWD,
    ONE_FIGURE,
    FigureConfig,
    Figures,
    figure_batches,
    reserved_figures,
)
from tfcourse.models.bottom_up import BottomUpConfig, BottomUpPose
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.pose_grouping import bottom_up_loss, group_poses
from tfcourse.pose_metrics import Poses, pck
from tfcourse.training import History, fit, one_cycle, seed_everything

BATCH_SIZE, BETAS, N_TEST = 16, (0.9, 0.98), 500
MUON_LR, ADAM_LR = 0.02, 2e-3
SHAKE = 0.08  # cuánto se mueven las cajas al entrenar con recortes, en partes de su lado


def pose_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """La pérdida de la cabeza en las articulaciones anotadas. Lote: imágenes, sitios y cuáles."""
    images, points, marked = batch
    return model.head.loss(model(images)[marked], points[marked])


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


@dataclass
class PoseModel:
    """Un modelo de una figura, entrenado, con su historia."""

    model: KeypointTransformer
    history: History

    def score(self, config: FigureConfig = ONE_FIGURE, n_images: int = N_TEST) -> dict[str, float]:
        """PCK@0.1 en imágenes reservadas de una figura: todas, las visibles y las tapadas."""
        test = reserved_figures(n_images, config)
        found, _ = self.model.locate(test.images)
        return single_score(found, test)


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


def new_pose_model(head: str, seed: int) -> tuple[KeypointTransformer, torch.optim.Optimizer]:
    """Un modelo sin entrenar, con esa cabeza, y su optimizador."""
    seed_everything(seed)
    model = KeypointTransformer(PoseConfig(head=head))
    return model, with_muon(model)


def with_muon(model: nn.Module) -> torch.optim.Optimizer:
    """Las matrices, con Muon, y lo demás, con Adam."""
    return Muon(*split_parameters(model), lr=MUON_LR, adam_lr=ADAM_LR, betas=BETAS)


def train_pose(
    head: str,
    seed: int,
    *,
    steps: int,
    batches: Iterator | None = None,
) -> PoseModel:
    """Entrena un modelo de una figura; sin `batches`, con las de `ONE_FIGURE`."""
    model, optimizer = new_pose_model(head, seed)
    batches = single_batches(BATCH_SIZE, seed) if batches is None else batches
    history = fit(
        model, batches, pose_loss, steps=steps, optimizer=optimizer, schedule=one_cycle(steps, 0.1)
    )
    return PoseModel(model.cpu().eval(), history)


def train_bottom_up(seed: int, *, steps: int, config: FigureConfig = CROWD) -> BottomUpPose:
    """Entrena el modelo de abajo arriba en imágenes con varias figuras."""
    seed_everything(seed)
    model = BottomUpPose(BottomUpConfig())
    fit(
        model, figure_batches(BATCH_SIZE, seed, config), bottom_up_loss, steps=steps,
        optimizer=with_muon(model), schedule=one_cycle(steps, 0.1),
    )  # fmt: skip
    return model.cpu().eval()


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


@torch.no_grad()
def bottom_up(model: BottomUpPose, figures: Figures, batch_size: int = 50) -> Poses:
    """De abajo arriba: una sola pasada por imagen, y a agrupar los puntos."""
    parts = [group_poses(model(some)) for some in figures.images.split(batch_size)]
    owners = torch.cat([part.owners + batch_size * i for i, part in enumerate(parts)])
    return Poses(
        owners,
        torch.cat([part.keypoints for part in parts]),
        torch.cat([part.scores for part in parts]),
    )
