"""Figuras articuladas: imágenes pequeñas con una o varias personas de trazo, y sus articulaciones.

Se hacen sobre la marcha, un lote entero a la vez. Las tapan rectángulos y otras figuras, y se sabe
dónde está cada articulación también cuando no se ve.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.scenes.scene_objects import random_backgrounds, random_colors
from tfcourse.datasets.scenes.skeleton import (
    HEAD_RADIUS,
    JOINTS,
    LIMB_RADIUS,
    draw_skeletons,
    joints_from_angles,
    random_angles,
)

TEST_SEED = 2_000_000  # las semillas de entrenar van muy por debajo


@dataclass(frozen=True)
class FigureConfig:
    """Cómo son las imágenes: lado, cuántas figuras, cómo de grandes y de movidas, y qué las tapa.

    `sides` es el lado mayor de cada figura, en píxeles; `reach`, cuánto se mueve (1 es todo el
    recorrido de cada ángulo); `max_blocks`, cuántos rectángulos se le ponen delante como mucho, de
    lados `block_sides`. Errores: `ValueError` si los números no encajan.
    """

    size: int = 64
    min_figures: int = 1
    max_figures: int = 1
    sides: tuple[float, float] = (46.0, 58.0)
    reach: float = 1.0
    max_blocks: int = 2
    block_sides: tuple[float, float] = (10.0, 20.0)
    noise: float = 0.03

    def __post_init__(self):
        if not 0 <= self.min_figures <= self.max_figures or self.max_figures < 1:
            raise ValueError(
                f"min_figures={self.min_figures} y max_figures={self.max_figures}: el primero no "
                "puede ser negativo ni pasar del segundo, y el segundo es al menos 1"
            )
        if not 8 <= self.sides[0] <= self.sides[1] < self.size:
            raise ValueError(
                f"sides={self.sides}: las figuras miden de 8 píxeles a menos que la imagen, "
                f"{self.size}, la menor delante"
            )
        if self.max_blocks < 0 or self.reach < 0:
            raise ValueError(
                f"max_blocks={self.max_blocks} y reach={self.reach}: no pueden ser negativos"
            )


ONE_FIGURE = FigureConfig()
CROWD = FigureConfig(96, 1, 3, sides=(38.0, 62.0), block_sides=(8.0, 16.0), noise=0.05)


class Figures(NamedTuple):
    """Un lote de B imágenes, con sitio para M figuras de K articulaciones en cada una.

    De las M, solo las `counts` primeras existen; el resto es relleno. La primera está delante.
    """

    images: Float[Tensor, "B 3 S S"]  # entre 0 y 1
    keypoints: Float[Tensor, "B M K 2"]  # (x, y), en partes de la imagen
    visible: Bool[Tensor, "B M K"]  # falso si algo la tapa
    boxes: Float[Tensor, "B M 4"]  # centro, ancho y alto, de la figura entera
    areas: Float[Tensor, "B M"]  # de la silueta entera, en partes de la imagen
    counts: Int[Tensor, "B"]

    @property
    def present(self) -> Bool[Tensor, "B M"]:
        """Qué sitios tienen una figura."""
        return torch.arange(self.boxes.shape[1]) < self.counts[:, None]


class Staging(NamedTuple):
    """Todo lo que se sortea de una imagen antes de pintarla."""

    angles: Float[Tensor, "B M A"]
    sides: Float[Tensor, "B M"]
    corners: Float[Tensor, "B M 2"]  # dónde cae, de 0 a 1 en el hueco que deja
    palette: Float[Tensor, "B M 3 3"]
    backgrounds: Float[Tensor, "B 3 S S"]
    blocks: Float[Tensor, "B R 4"]  # en qué figura, de 0 a 1, y ancho y alto en píxeles
    block_colors: Float[Tensor, "B R 3"]
    counts: Int[Tensor, "B"]


def random_staging(batch_size: int, generator: torch.Generator, config: FigureConfig) -> Staging:
    """Sortea un lote de imágenes. Errores: `ValueError` si el lote está vacío."""
    if batch_size < 1:
        raise ValueError(f"batch_size={batch_size}: hace falta al menos una imagen")
    many, blocks = (batch_size, config.max_figures), (batch_size, config.max_blocks)
    low, high = config.sides
    short, long = config.block_sides
    where = torch.rand(*blocks, 2, generator=generator)
    block_sides = short + (long - short) * torch.rand(*blocks, 2, generator=generator)
    used = torch.rand(*blocks, 1, generator=generator) < 0.75
    return Staging(
        random_angles(many, generator, config.reach),
        low + (high - low) * torch.rand(many, generator=generator),
        torch.rand(*many, 2, generator=generator),
        random_colors((*many, 3), generator),
        random_backgrounds(batch_size, config.size, generator, uneven=True),
        torch.cat([where, block_sides * used], dim=-1),
        0.8 * torch.rand(*blocks, 3, generator=generator),
        torch.randint(
            config.min_figures, config.max_figures + 1, (batch_size,), generator=generator
        ),
    )


def make_figures(
    batch_size: int, generator: torch.Generator, config: FigureConfig = ONE_FIGURE
) -> Figures:
    """Un lote de imágenes con figuras: todas a la vez, sin un bucle por imagen."""
    return render(random_staging(batch_size, generator, config), generator, config)


def render(staging: Staging, generator: torch.Generator, config: FigureConfig) -> Figures:
    """Pinta lo sorteado, de atrás adelante, y anota qué se ve."""
    size, present = config.size, torch.arange(config.max_figures) < staging.counts[:, None]
    joints, boxes, heights = _place(staging, size)
    flat = (joints.flatten(0, 1), heights.flatten(), staging.palette.flatten(0, 1), size)
    drawn = draw_skeletons(*flat)
    inside = drawn.inside.unflatten(0, present.shape) & present[..., None, None]
    colors = drawn.colors.unflatten(0, present.shape)
    images, covered = staging.backgrounds, torch.zeros_like(inside[:, 0])
    for m in reversed(range(config.max_figures)):
        images = torch.where(inside[:, m, None], colors[:, m], images)
    blocks = _block_masks(staging, boxes, size)
    for r in range(config.max_blocks):
        images = torch.where(blocks[:, r, None], staging.block_colors[:, r, :, None, None], images)
        covered |= blocks[:, r]
    visible = []
    for m in range(config.max_figures):  # lo que tapan los rectángulos y las de delante
        visible.append(~_read(covered, joints[:, m]))
        covered = covered | inside[:, m]
    images = images + config.noise * torch.randn(images.shape, generator=generator)
    keep = present[..., None]
    return Figures(
        images.clamp(0, 1),
        joints / size * keep[..., None],
        torch.stack(visible, dim=1) & keep,
        boxes / size * keep,
        inside.float().mean(dim=(-2, -1)),
        staging.counts,
    )


def figure_batches(
    batch_size: int, seed: int, config: FigureConfig = ONE_FIGURE
) -> Iterator[Figures]:
    """Lotes de entrenamiento sin fin, con su propia semilla: ninguna imagen se repite."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield make_figures(batch_size, generator, config)


def reserved_figures(n_images: int, config: FigureConfig = ONE_FIGURE) -> Figures:
    """Las imágenes de evaluar, siempre las mismas."""
    return make_figures(n_images, torch.Generator().manual_seed(TEST_SEED), config)


def figure_video(
    n_frames: int, generator: torch.Generator, config: FigureConfig = ONE_FIGURE, turns: float = 1.0
) -> Figures:
    """Un vídeo: los mismos personajes y el mismo fondo, y cada ángulo va y viene `turns` veces.

    Los rectángulos no se mueven, así que tapan una articulación y después otra.
    """
    staging = random_staging(1, generator, config)
    staging = Staging(*(part.expand(n_frames, *part.shape[1:]) for part in staging))
    ends = torch.stack([random_angles(staging.angles.shape[1:2], generator, config.reach)] * 2)
    ends[1] = random_angles(staging.angles.shape[1:2], generator, config.reach)
    phase = 2 * torch.pi * turns * torch.arange(n_frames) / n_frames
    mix = (0.5 - 0.5 * phase.cos())[:, None, None]
    return render(staging._replace(angles=ends[0] + mix * (ends[1] - ends[0])), generator, config)


def _place(staging: Staging, size: int):
    """Cada figura, a su tamaño y en su sitio: articulaciones, cajas y alturas, en píxeles."""
    joints = joints_from_angles(staging.angles)
    margin = torch.full((len(JOINTS), 1), LIMB_RADIUS)
    margin[0] = HEAD_RADIUS
    low, high = (joints - margin).amin(-2), (joints + margin).amax(-2)
    scale = staging.sides / (high - low).amax(-1)
    extent = (high - low) * scale[..., None]
    corner = staging.corners * (size - extent)
    joints = (joints - low[..., None, :]) * scale[..., None, None] + corner[..., None, :]
    return joints, torch.cat([corner + extent / 2, extent], dim=-1), scale


def _block_masks(staging: Staging, boxes: Tensor, size: int) -> Bool[Tensor, "B R S S"]:
    """Los rectángulos: caen en la caja de la primera figura, o de la segunda, si la hay."""
    n_blocks = staging.blocks.shape[1]
    owner = torch.arange(n_blocks) % staging.counts.clamp(min=1)[:, None]
    mine = boxes.gather(1, owner[..., None].expand(-1, -1, 4))
    centers = mine[..., :2] + (staging.blocks[..., :2] - 0.5) * mine[..., 2:]
    pixels = torch.arange(size) + 0.5
    near = (pixels - centers[..., None]).abs() <= staging.blocks[..., 2:, None] / 2
    return near[..., 0, None, :] & near[..., 1, :, None]


def _read(mask: Bool[Tensor, "B S S"], points: Float[Tensor, "B K 2"]) -> Bool[Tensor, "B K"]:
    """El valor de la máscara en cada punto."""
    column, row = points.long().clamp(0, mask.shape[-1] - 1).unbind(-1)
    return mask[torch.arange(len(mask))[:, None], row, column]
