"""De lo que dice un segmentador a las tres respuestas: semántica, de instancias y panóptica."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from scipy import ndimage
from torch import Tensor

from tfcourse.datasets.scenes.segments import BACKGROUND
from tfcourse.models.segmentation import Segments

THRESHOLD = 0.3  # confianza desde la que se escucha a una consulta
KEPT = 0.5  # parte de su máscara que le tiene que quedar a un segmento para no ser un resto
MIN_AREA = 12  # puntos: las piezas menores, al separar un mapa en trozos, se dan por ruido


@dataclass
class Instances:
    """Los objetos que se dicen de un lote: una máscara, una clase y una confianza de cada uno."""

    masks: Bool[Tensor, "B N Y X"]
    classes: Int[Tensor, "B N"]
    scores: Float[Tensor, "B N"]


def enlarge(found: Segments, sides: tuple[int, int]) -> Float[Tensor, "B N Y X"]:
    """Las máscaras, como probabilidades y del tamaño de la imagen."""
    logits = F.interpolate(found.masks, size=sides, mode="bilinear", align_corners=False)
    return logits.sigmoid()


def semantic_answer(
    probabilities: Float[Tensor, "B N C"], masks: Float[Tensor, "B N Y X"]
) -> Int[Tensor, "B Y X"]:
    """Segmentación semántica: la clase con más votos en cada punto, Σᵢ pᵢ(c) mᵢ(y, x).

    Fuente: Cheng et al. (2021), § 3.4.
    """
    return torch.einsum("bnc, bnyx -> bcyx", probabilities, masks).argmax(dim=1)


def panoptic_answer(
    probabilities: Float[Tensor, "B N C"],
    masks: Float[Tensor, "B N Y X"],
    threshold: float = THRESHOLD,
    kept: float = KEPT,
) -> Int[Tensor, "B Y X 2"]:
    """Segmentación panóptica: cada punto, de la consulta que más segura está de él, pᵢ mᵢ(y, x).

    No opinan las consultas que no llegan a `threshold`; después se quitan los segmentos a los que
    otros han dejado en menos de `kept` de su máscara. Lo que nadie reclama es fondo. Devuelve la
    clase y el número de objeto de cada punto. Fuente: Cheng et al. (2021), § 3.4.
    """
    best = probabilities.max(dim=-1)
    sure = best.values > threshold
    claims = (best.values * sure)[..., None, None] * masks
    own = masks > 0.5
    numbers = torch.arange(masks.shape[1], device=masks.device)[:, None, None]
    mine = (claims.argmax(dim=1, keepdim=True) == numbers) & own & sure[..., None, None]
    whole = mine.sum((2, 3)) >= kept * own.sum((2, 3)).clamp(min=1)
    mine &= (whole & (best.indices != BACKGROUND))[..., None, None]
    objects = (mine * (numbers + 1)).sum(1)
    classes = (mine * best.indices[..., None, None]).sum(1)
    return torch.stack([classes, objects], dim=-1)


def instance_answer(
    probabilities: Float[Tensor, "B N C"], masks: Float[Tensor, "B N Y X"]
) -> Instances:
    """Segmentación de instancias: todo lo que no es fondo, con su confianza y sin repartir puntos.

    La confianza es la de la clase por la de la máscara, que es su probabilidad media por dentro.
    Fuente: Cheng et al. (2022), § 4 y código publicado.
    """
    best = probabilities[..., BACKGROUND + 1 :].max(dim=-1)
    own = masks > 0.5
    inside = (masks * own).sum((2, 3)) / own.sum((2, 3)).clamp(min=1)
    return Instances(own, best.indices + BACKGROUND + 1, best.values * inside)


def connected_parts(
    semantic: Int[Tensor, "B Y X"], min_area: int = MIN_AREA
) -> Int[Tensor, "B Y X 2"]:
    """Respuesta panóptica de quien solo sabe clases: cada mancha seguida de una clase, un objeto.

    Dos puntos van juntos si comparten un lado. Las manchas menores de `min_area` pasan a fondo.
    """
    answers = torch.zeros(*semantic.shape, 2, dtype=torch.long)
    for image, kinds in enumerate(semantic.cpu()):
        number = 0
        for kind in kinds.unique().tolist():
            if kind == BACKGROUND:
                continue
            parts, count = ndimage.label((kinds == kind).numpy())
            for part in range(1, count + 1):
                points = torch.from_numpy(parts == part)
                if points.sum() >= min_area:
                    number += 1
                    answers[image, points] = torch.tensor([kind, number])
    return answers


def as_instances(panoptic: Int[Tensor, "B Y X 2"], confidence: Float[Tensor, "B Y X"]) -> Instances:
    """Los objetos de una respuesta panóptica; la confianza, la media de la de sus puntos."""
    numbers = torch.arange(1, max(1, int(panoptic[..., 1].max())) + 1)[:, None, None]
    masks = panoptic[:, None, ..., 1] == numbers
    area = masks.sum((2, 3))
    scores = (masks * confidence[:, None]).sum((2, 3)) / area.clamp(min=1)
    classes = (masks * panoptic[:, None, ..., 0]).amax((2, 3))
    return Instances(masks, classes, scores)
