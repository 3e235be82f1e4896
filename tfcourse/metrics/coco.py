"""Precisión media con las reglas de COCO: la misma cuenta para cajas, máscaras y poses."""

import contextlib
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float
from torch import Tensor

Range = tuple[float, float]


def coco_precision(
    kind: str,
    truth: Sequence[dict],
    guesses: Sequence[dict],
    images: Float[Tensor, "B 3 Y X"],
    *,
    areas: Mapping[str, Range] | None = None,
    sigmas: Sequence[float] | None = None,
) -> dict[str, float]:
    """Precisión media (AP): AP@[0,5:0,95], AP50 y AP75.

    Con `areas`, los límites de los tres tamaños de objeto, también la de cada uno.
    `kind` dice qué se compara: `bbox`, cajas; `segm`, máscaras; `keypoints`, poses, con lo que se
    permite en cada articulación (`sigmas`). `truth` y `guesses` son las filas de COCO, en píxeles:
    lo que hay y lo que se dice en cada imagen. La calcula `pycocotools`, la herramienta de COCO.
    Una medida sin objetos vale NaN. Fuente: Lin et al. (2014).
    """
    from pycocotools.coco import COCO

    with contextlib.redirect_stdout(io.StringIO()):  # escribe en inglés cada paso
        real = COCO()
        real.dataset = _dataset(truth, images)
        real.createIndex()
    return _precision(kind, real, guesses, areas or {}, sigmas)


def official_precision(kind: str, notes: Path, guesses: Sequence[dict]) -> dict[str, float]:
    """Precisión media (AP, AP50 y AP75) con las anotaciones oficiales de COCO, tal como vienen.

    `notes` es su archivo y `guesses`, las filas que se dicen, con los números de foto y de clase de
    COCO y en píxeles de cada foto. `kind`, como en `coco_precision`. Las fotos de las que no se
    dice nada también cuentan, y los grupos (`iscrowd`) ni suman ni restan. Fuente: Lin et al.
    (2014).
    """
    from pycocotools.coco import COCO

    with contextlib.redirect_stdout(io.StringIO()):
        real = COCO(str(notes))
    return _precision(kind, real, guesses, {}, None)


def _precision(
    kind: str,
    real,
    guesses: Sequence[dict],
    areas: Mapping[str, Range],
    sigmas: Sequence[float] | None,
) -> dict[str, float]:
    """Lo que cuenta `pycocotools`, con nombre."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        said = real.loadRes(list(guesses)) if guesses else COCO()
        evaluation = COCOeval(real, said, kind)
        if areas:
            # Sus tres tamaños se llaman siempre igual; el primero es «todos».
            evaluation.params.areaRng[1:] = map(list, areas.values())
        if sigmas is not None:
            evaluation.params.kpt_oks_sigmas = np.array(sigmas)
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    names = ("AP", "AP50", "AP75", *(f"AP {name}" for name in areas))
    return {
        name: float(value) if value >= 0 else float("nan")
        for name, value in zip(names, evaluation.stats, strict=False)
    }


def _dataset(truth: Sequence[dict], images: Tensor) -> dict:
    """Lo que espera `pycocotools`: las imágenes, las clases que hay y una fila por objeto."""
    height, width = images.shape[-2:]
    return {
        "info": {},
        "images": [{"id": i, "height": height, "width": width} for i in range(len(images))],
        "categories": [{"id": kind} for kind in sorted({row["category_id"] for row in truth})],
        "annotations": [
            row | {"id": number, "iscrowd": 0} for number, row in enumerate(truth, start=1)
        ],
    }


def corner_and_size(box: Float[Tensor, "4"], side: int) -> list[float]:
    """Una caja como la escribe COCO: la esquina, el ancho y el alto, en píxeles.

    Llega con el centro, el ancho y el alto, en partes de una imagen de lado `side`.
    """
    cx, cy, w, h = (box * side).tolist()
    return [cx - w / 2, cy - h / 2, w, h]


def packed(mask: Bool[Tensor, "Y X"]) -> dict:
    """Una máscara como la escribe COCO: comprimida por rachas."""
    from pycocotools.mask import encode

    return encode(np.asfortranarray(mask.cpu().numpy().astype(np.uint8)))
