"""De abajo arriba: aprender etiquetas que distingan figuras, y agrupar puntos según su etiqueta."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from scipy.optimize import linear_sum_assignment
from torch import Tensor, nn

from tfcourse.layers.image.keypoint_heads import heatmaps, refined
from tfcourse.models.bottom_up import KeypointMaps
from tfcourse.vision.pose.metrics import Poses

# Se empieza por el tronco, que se tapa menos, y se acaba por las manos y los pies.
ORDER = (1, 2, 7, 8, 0, 9, 10, 3, 4, 11, 12, 5, 6)
# Desde qué calor hay un punto, y hasta qué distancia de etiquetas es de la misma figura.
MIN_HEAT, MAX_APART = 0.15, 1.0
MIN_JOINTS = 4  # con menos articulaciones encontradas no es una figura
TAG_WEIGHT = 2.0  # cuánto cuentan las etiquetas al lado de los mapas


def tag_loss(
    tags: Float[Tensor, "B M K"], present: Bool[Tensor, "B M"]
) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
    """Lo que junta las etiquetas de cada figura y lo que separa las de figuras distintas.

    Junta: media de (h_k − h̄)². Separa: media de exp(−½ (h̄_n − h̄_m)²) sobre las parejas de una
    misma imagen. Fuente: Newell et al. (2017), ec. 1, con σ = 1.
    """
    centers = tags.mean(dim=-1)
    spread = (tags - centers[..., None]).square().mean(-1)
    pull = spread[present].sum() / present.sum().clamp(min=1)
    apart = centers[:, :, None] - centers[:, None]
    pairs = present[:, :, None] & present[:, None]
    pairs = pairs & ~torch.eye(present.shape[1], dtype=torch.bool, device=present.device)
    push = (-0.5 * apart.square()).exp()[pairs].sum() / pairs.sum().clamp(min=1)
    return pull, push


def bottom_up_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada de los mapas de calor, por figura, y la pérdida de las etiquetas."""
    images, keypoints, _, _, _, counts = batch
    present = torch.arange(keypoints.shape[1], device=counts.device) < counts[:, None]
    maps = model(images)
    side = maps.heat.shape[-1]
    target = (heatmaps(keypoints, side) * present[:, :, None, None, None]).amax(dim=1)
    heat = F.binary_cross_entropy_with_logits(maps.heat, target, reduction="sum")
    place = (keypoints * side).long().clamp(0, side - 1)
    index = (place[..., 1] * side + place[..., 0]).transpose(1, 2)  # B K M
    tags = maps.tags.flatten(2).gather(2, index).transpose(1, 2)
    pull, push = tag_loss(tags, present)
    n_joints = (present.sum() * keypoints.shape[2]).clamp(min=1)
    return heat / n_joints + TAG_WEIGHT * (pull + push)


def local_peaks(heat: Float[Tensor, "K N N"], most: int) -> tuple[Float[Tensor, "K P"], Tensor]:
    """Los `most` puntos de cada mapa más calientes que sus vecinos: altura y sitio."""
    top = heat == F.max_pool2d(heat[None], 3, 1, 1)[0]
    return (heat * top).flatten(1).topk(most, dim=1)


def group_by_tags(
    candidates: Sequence[Sequence[tuple[float, float]]], max_apart: float = MAX_APART
) -> list[dict[int, int]]:
    """Reparte los puntos en figuras: cada una, un diccionario de articulación a candidato.

    `candidates[k]` son los (calor, etiqueta) de la articulación k, ya filtrados. Articulación a
    articulación, el algoritmo húngaro da cada punto a la figura de etiqueta media más parecida; si
    no hay ninguna a menos de `max_apart`, empieza una. Fuente: Newell et al. (2017), § 3.2.
    """
    groups: list[dict[int, int]] = []
    tags: list[list[float]] = []
    for joint in (k for k in ORDER if k < len(candidates)):
        found = candidates[joint]
        centers = torch.tensor([sum(some) / len(some) for some in tags])
        apart = (torch.tensor([tag for _, tag in found])[:, None] - centers).abs()
        heat = torch.tensor([height for height, _ in found])
        chosen = dict(zip(*linear_sum_assignment(apart - 1e-3 * heat[:, None]), strict=True))
        for number, (_, tag) in enumerate(found):
            group = chosen.get(number)
            if group is None or apart[number, group] >= max_apart:
                group = len(groups)
                groups.append({})
                tags.append([])
            groups[group][joint] = number
            tags[group].append(tag)
    return groups


@torch.no_grad()
def group_poses(maps: KeypointMaps, most: int = 6) -> Poses:
    """Las poses de un lote: picos, grupos por etiqueta y las articulaciones que faltan.

    Las que ningún pico reclamó se ponen donde más calor hay con una etiqueta parecida.
    """
    heat, flat_tags = maps.heat.sigmoid(), maps.tags.flatten(2)
    owners, points, scores = [], [], []
    for image, (hot, tags) in enumerate(zip(heat, flat_tags, strict=True)):
        heights, places = local_peaks(hot, most)
        values = tags.gather(1, places)
        kept = [
            [(float(h), float(t)) for h, t in zip(*row, strict=True) if h >= MIN_HEAT]
            for row in zip(heights, values, strict=True)
        ]
        for group in group_by_tags(kept):
            if len(group) < MIN_JOINTS:
                continue
            center = sum(kept[k][n][1] for k, n in group.items()) / len(group)
            place = (hot.flatten(1) - (tags - center).abs()).argmax(dim=1)
            for k, n in group.items():
                place[k] = places[k, n]
            owners.append(image)
            points.append(refined(hot.flatten(1), place))
            scores.append(hot.flatten(1).gather(1, place[:, None]).mean())
    n_keypoints = heat.shape[1]
    return Poses(
        torch.tensor(owners, dtype=torch.long),
        torch.stack(points) if points else torch.zeros(0, n_keypoints, 2),
        torch.stack(scores) if scores else torch.zeros(0),
    )
