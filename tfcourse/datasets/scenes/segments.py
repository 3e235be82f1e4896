"""Escenas para segmentar: cada escena, como el conjunto de segmentos que la cubre entera."""

from collections.abc import Iterator
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, SceneConfig, Scenes, scene_batches

BACKGROUND = 0  # la clase del fondo; las de las cosas empiezan en 1


class SegmentedImages(NamedTuple):
    """Un lote de B imágenes cubiertas por segmentos, con sitio para M en cada una.

    De los M, solo los `counts` primeros existen; ningún punto es de dos.
    """

    images: Float[Tensor, "B 3 Y X"]
    masks: Bool[Tensor, "B M Y X"]
    classes: Int[Tensor, "B M"]
    counts: Int[Tensor, "B"]
    semantic: Int[Tensor, "B Y X"]


def with_background(scenes: Scenes) -> SegmentedImages:
    """Los objetos de cada escena y, delante, el fondo: un segmento más, el de la clase 0."""
    rest = (scenes.semantic == BACKGROUND)[:, None]
    classes = torch.cat([torch.zeros_like(scenes.classes[:, :1]), scenes.classes + 1], dim=1)
    exists = torch.arange(classes.shape[1]) <= scenes.counts[:, None]
    return SegmentedImages(
        scenes.images,
        torch.cat([rest, scenes.masks], dim=1),
        classes * exists,
        scenes.counts + 1,
        scenes.semantic,
    )


def segment_batches(
    batch_size: int, seed: int, config: SceneConfig = SHAPE_SCENES
) -> Iterator[SegmentedImages]:
    """Lotes de entrenamiento sin fin: las escenas de siempre, con el fondo entre sus segmentos."""
    return map(with_background, scene_batches(batch_size, seed, config))


def panoptic_map(scenes: Scenes) -> Int[Tensor, "B Y X 2"]:
    """La respuesta panóptica: de cada punto, su clase y qué objeto es (0 en el fondo)."""
    numbers = torch.arange(1, scenes.masks.shape[1] + 1)[:, None, None]
    return torch.stack([scenes.semantic, (scenes.masks * numbers).sum(1)], dim=-1)


def touches_its_kind(scenes: Scenes) -> Bool[Tensor, "B M"]:
    """Qué objetos tocan a otro de su misma clase: tienen puntos vecinos, también en diagonal."""
    wide = F.max_pool2d(scenes.masks.float(), 3, stride=1, padding=1) > 0
    near = torch.einsum("bmyx, bnyx -> bmn", wide.float(), scenes.masks.float()) > 0
    alike = scenes.classes[:, :, None] == scenes.classes[:, None]
    both = scenes.present[:, :, None] & scenes.present[:, None]
    itself = torch.eye(scenes.masks.shape[1], dtype=torch.bool)
    return (near & alike & both & ~itself).any(dim=-1)
