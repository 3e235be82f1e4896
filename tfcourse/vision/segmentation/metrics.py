"""Cómo se mide un segmentador: IoU media, calidad panóptica y precisión media de las máscaras."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.scenes.scenes import Scenes
from tfcourse.metrics.coco import coco_precision, packed
from tfcourse.vision.segmentation.decoding import Instances


def class_ious(
    predicted: Int[Tensor, "B Y X"], real: Int[Tensor, "B Y X"], n_classes: int
) -> Float[Tensor, "C"]:
    """IoU de cada clase, con los puntos de todas las imágenes juntos; NaN si la clase no está."""
    pairs = (real * n_classes + predicted).flatten().bincount(minlength=n_classes**2)
    table = pairs.view(n_classes, n_classes).double()  # filas, lo que hay; columnas, lo dicho
    common = table.diagonal()
    return common / (table.sum(0) + table.sum(1) - common)


def mean_iou(predicted: Tensor, real: Tensor, n_classes: int) -> float:
    """IoU media (mIoU): la media de las clases que aparecen. Fuente: Everingham et al. (2010)."""
    return float(class_ious(predicted, real, n_classes).nanmean())


def segment_table(panoptic: Int[Tensor, "Y X 2"]) -> tuple[Int[Tensor, "K 2"], Int[Tensor, "P"]]:
    """Los segmentos de una imagen, (clase, objeto), y de qué segmento es cada punto."""
    kinds, numbers = panoptic.flatten(0, 1).unbind(-1)
    # Cada pareja, en un solo número: ordenar números es mucho más rápido que ordenar parejas.
    base = numbers.max() + 1
    codes, owner = (kinds * base + numbers).unique(return_inverse=True)
    return torch.stack([codes // base, codes % base], dim=1), owner


def panoptic_quality(
    predicted: Int[Tensor, "B Y X 2"], real: Int[Tensor, "B Y X 2"], n_classes: int
) -> dict[str, float]:
    """Calidad panóptica: PQ, y sus dos factores, la de los parecidos (SQ) y la del recuento (RQ).

    Un segmento predicho acierta si es de la misma clase que uno real y su IoU pasa de 0,5; como
    ningún punto es de dos, a lo sumo hay uno así. Por clase, PQ = Σ IoU / (TP + FP/2 + FN/2);
    después, la media de las clases que aparecen. Fuente: Kirillov et al. (2019), § 4.
    """
    overlap, hits, said, there = torch.zeros(4, n_classes, dtype=torch.float64)
    for ours, true in zip(predicted.cpu(), real.cpu(), strict=True):
        (our_rows, our_map), (true_rows, true_map) = segment_table(ours), segment_table(true)
        n_ours, n_true = len(our_rows), len(true_rows)
        common = (true_map * n_ours + our_map).bincount(minlength=n_true * n_ours)
        common = common.view(n_true, n_ours).double()
        iou = common / (common.sum(0) + common.sum(1, keepdim=True) - common)
        good = (iou > 0.5) & (true_rows[:, None, 0] == our_rows[:, 0])
        thing, guess = good.nonzero(as_tuple=True)
        kinds = true_rows[thing, 0]
        overlap.index_add_(0, kinds, iou[thing, guess])
        hits += kinds.bincount(minlength=n_classes)
        said += our_rows[:, 0].bincount(minlength=n_classes)
        there += true_rows[:, 0].bincount(minlength=n_classes)
    # TP + FP/2 + FN/2: la media de los segmentos dichos y los que hay.
    halves = (said + there) / 2
    alike = overlap / hits.clamp(min=1)
    counted = hits / halves  # NaN en las clases que no aparecen
    return {
        "PQ": float((alike * counted).nanmean()),
        "SQ": float(alike[halves > 0].mean()),
        "RQ": float(counted.nanmean()),
    }


def found_objects(predicted: Int[Tensor, "B Y X 2"], scenes: Scenes) -> Bool[Tensor, "B M"]:
    """Qué objetos reales tienen un segmento de su clase con IoU de más de 0,5."""
    found = torch.zeros_like(scenes.present)
    for image, ours in enumerate(predicted):
        rows, owner = segment_table(ours)
        for thing in range(int(scenes.counts[image])):
            mask = scenes.masks[image, thing].flatten()
            for number in owner[mask].unique().tolist():
                own = owner == number
                iou = (own & mask).sum() / (own | mask).sum()
                same = int(rows[number, 0]) == int(scenes.classes[image, thing]) + 1
                found[image, thing] |= bool(same and iou > 0.5)
    return found


MISSES = ("otra clase", "junta con otra", "mal dibujada", "sin contestar")


def missed_objects(predicted: Int[Tensor, "B Y X 2"], scenes: Scenes) -> dict[str, int]:
    """Por qué faltan los objetos que `found_objects` no encuentra: cuántos hay de cada motivo.

    «otra clase»: un segmento lo dibuja con IoU de más de 0,5, pero lo llama de otra manera; «junta
    con otra»: un segmento se lleva más de la mitad del objeto y más de la mitad de otro; «sin
    contestar»: más de la mitad de sus puntos no son de ningún segmento; y «mal dibujada», lo demás.
    """
    reasons = dict.fromkeys(MISSES, 0)
    for image, thing in (scenes.present & ~found_objects(predicted, scenes)).nonzero().tolist():
        rows, owner = segment_table(predicted[image])
        masks = scenes.masks[image].flatten(1)
        common = torch.stack([owner[mask].bincount(minlength=len(rows)) for mask in masks])
        areas, sizes = masks.sum(-1, keepdim=True), owner.bincount(minlength=len(rows))
        ious = common / (areas + sizes - common)
        mostly = common > areas / 2  # de qué objetos se lleva cada segmento más de la mitad
        said = rows[:, 1] > 0
        if (ious[thing] > 0.5)[said].any():
            reasons["otra clase"] += 1
        elif (mostly[thing] & (mostly.sum(0) > 1) & said).any():
            reasons["junta con otra"] += 1
        elif (mostly[thing] & ~said).any():
            reasons["sin contestar"] += 1
        else:
            reasons["mal dibujada"] += 1
    return reasons


def mask_average_precision(instances: Instances, scenes: Scenes) -> dict[str, float]:
    """Precisión media de las máscaras: AP@[0,5:0,95], AP50 y AP75, con las reglas de COCO.

    Fuente: Lin et al. (2014).
    """
    return coco_precision("segm", _annotations(scenes), _guesses(instances), scenes.images)


def _annotations(scenes: Scenes) -> list[dict]:
    return [
        {
            "image_id": image,
            "category_id": int(scenes.classes[image, thing]) + 1,
            "segmentation": packed(scenes.masks[image, thing]),
            "area": int(scenes.masks[image, thing].sum()),
        }
        for image, thing in scenes.present.nonzero().tolist()
    ]


def _guesses(instances: Instances) -> list[dict]:
    said = instances.masks.any(dim=(2, 3)).nonzero().tolist()
    return [
        {
            "image_id": image,
            "category_id": int(instances.classes[image, query]),
            "segmentation": packed(instances.masks[image, query]),
            "score": float(instances.scores[image, query]),
        }
        for image, query in said
    ]
