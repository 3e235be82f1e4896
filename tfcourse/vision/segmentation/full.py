"""A escala real: segmentar las cosas de COCO y las clases de Pascal VOC."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from torch import nn

from tfcourse.datasets.folders.coco import COCO_SOURCE, coco_files
from tfcourse.datasets.folders.detection_folders import VOC_SOURCE
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.segmentation_folders import (
    SegmentedFolder,
    coco_segments,
    stacked,
    voc_segments,
)
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.training.recipe import MuonRecipe, trained
from tfcourse.vision.segmentation.photos import (
    masks_of_another,
    only_background,
    photo_mask_precision,
    said_instances,
    semantic_maps,
    voc_mean_iou,
)
from tfcourse.vision.segmentation.published import RUN as PUBLISHED
from tfcourse.vision.segmentation.recipe import Recipe, build

# MaskFormer, con seis capas, y Mask2Former, con nueve, como en sus artículos.
_SETS = {"n_queries": 100, "d_model": 256, "n_heads": 8, "n_encoder": 6, "d_hidden": 1024,
         "d_pixel": 256}  # fmt: skip
_SETR = {"patch": 16, "d_model": 384, "n_heads": 6, "n_encoder": 8, "d_hidden": 1536}
_TINY = {"n_queries": 6, "d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1,
         "d_hidden": 16, "d_pixel": 8}  # fmt: skip


@dataclass(frozen=True)
class Full(MuonRecipe):
    """Pasos, lote y lado de las fotos, cada cuánto se guarda, ritmos, y los modelos y su tamaño.

    De una foto se aprenden, como mucho, los `max_segments` segmentos mayores. Los modelos leen la
    foto con una red sin preentrenar.
    """

    steps: int
    batch_size: int
    models: dict
    muon_lr: float = 0.01
    adam_lr: float = 3e-4
    size: int = 256
    save_every: int = 5_000
    max_segments: int = 40
    betas = (0.9, 0.98)
    warmup = 0.05


INSTANCES = Full(
    steps=100_000,
    batch_size=8,
    models={"MaskFormer": _SETS | {"n_decoder": 6}, "+ sembradas": _SETS | {"n_decoder": 9}},
)
CLASSES = Full(
    steps=40_000,
    batch_size=16,
    models={"SETR": _SETR, "+ sembradas": _SETS | {"n_decoder": 9}},
)
_SMALL = {"steps": 4, "batch_size": 2, "size": 32, "save_every": 2, "max_segments": 5}
INSTANCES_REHEARSAL = Full(models={"MaskFormer": _TINY, "+ sembradas": _TINY}, **_SMALL)
CLASSES_REHEARSAL = Full(
    models={
        "SETR": {"patch": 8, "d_model": 16, "n_heads": 2, "n_encoder": 1, "d_hidden": 16},
        "+ sembradas": _TINY,
    },
    **_SMALL,
)


def learn(settings: Full, name: str, known: SegmentedFolder, folder: Path) -> nn.Module:
    """Entrena uno de los modelos con un conjunto de fotos, y lo deja donde se va a evaluar."""
    recipe = Recipe(name)
    collate = partial(stacked, max_segments=settings.max_segments)
    path = folder / f"modelo_{list(settings.models).index(name)}.safetensors"
    done = trained(
        partial(build, recipe, len(known.classes), **settings.models[name]),
        EndlessLoader(known, settings.batch_size, seed=0, collate=collate),
        recipe.loss, settings, seed=0, checkpoint=Checkpoint(path, settings.save_every),
    )  # fmt: skip
    return done.model.to(default_device())


def measure_instances(settings: Full, folder: Path) -> list[dict]:
    """Precisión media de las máscaras en las fotos de evaluar de COCO, con una semilla."""
    known = coco_segments(*coco_files("train"), settings.size, moved=True)
    test = coco_segments(*coco_files("val"), settings.size)
    blind = photo_mask_precision(masks_of_another(test), test)
    rows = [{"modelo": "las máscaras de otra foto", "parámetros": 0} | blind]
    for name in settings.models:
        model = learn(settings, name, known, folder)
        found = photo_mask_precision(said_instances(model, test), test)
        rows.append({"modelo": name, "parámetros": n_parameters(model)} | found)
    return rows


def measure_classes(settings: Full, folder: Path) -> list[dict]:
    """mIoU en las fotos de evaluar de Pascal VOC 2012 (val), con una semilla."""
    place = VOC_SOURCE.folder()
    known = voc_segments(place, settings.size, moved=True)
    test = voc_segments(place, settings.size, split="val")
    blind = voc_mean_iou(only_background(test), test)
    rows = [{"modelo": "todo es fondo", "parámetros": 0} | blind]
    for name in settings.models:
        model = learn(settings, name, known, folder)
        found = voc_mean_iou(semantic_maps(model, test), test)
        rows.append({"modelo": name, "parámetros": n_parameters(model)} | found)
    return rows


RUNS = {
    "coco_mascaras": FullRun(
        name="coco_mascaras",
        title="COCO 2017, precisión media de las máscaras en val2017",
        sources=(COCO_SOURCE,),
        settings=INSTANCES,
        rehearsal=INSTANCES_REHEARSAL,
        measure=measure_instances,
        gpu_gigabytes=12,
        hours=10,
    ),
    "voc_clases": FullRun(
        name="voc_clases",
        title="Pascal VOC 2012, segmentación semántica de val",
        sources=(VOC_SOURCE,),
        settings=CLASSES,
        rehearsal=CLASSES_REHEARSAL,
        measure=measure_classes,
        gpu_gigabytes=16,
        hours=5,
    ),
    "maskformer_publicado": PUBLISHED,
}
