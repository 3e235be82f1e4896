"""A escala real: DETR y sus anclas, con las mismas fotos de COCO y los mismos pasos."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tfcourse.datasets.folders.coco import COCO_SOURCE, coco_files
from tfcourse.datasets.folders.detection_folders import coco_images, padded
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.training.recipe import MuonRecipe, trained
from tfcourse.vision.detection.metrics import boxes_of_another, detect_photos, photo_precision
from tfcourse.vision.detection.published import RUN as PUBLISHED
from tfcourse.vision.detection.recipe import LADDER, build


@dataclass(frozen=True)
class Full(MuonRecipe):
    """Pasos, lote y lado de las fotos, cada cuánto se guarda, ritmos y tamaño de los detectores.

    `detectors` son peldaños de `LADDER`. Los tamaños son los de Carion et al. (2020), con la mitad
    de `d_hidden` y una red que lee la foto sin preentrenar.
    """

    steps: int = 100_000
    muon_lr: float = 0.01
    adam_lr: float = 3e-4
    batch_size: int = 16
    size: int = 256
    save_every: int = 5_000
    detectors: tuple = ("+ auxiliares", "+ dos etapas")
    sizes: dict = field(
        default_factory=lambda: {
            "n_queries": 100, "d_model": 256, "n_heads": 8, "n_encoder": 6, "n_decoder": 6,
            "d_hidden": 1024,
        }
    )  # fmt: skip
    betas = (0.9, 0.98)
    warmup = 0.05


REHEARSAL = Full(
    steps=4,
    batch_size=2,
    size=32,
    save_every=2,
    sizes={
        "n_queries": 6, "d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1, "d_hidden": 16
    },
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """Precisión media en las fotos de evaluar de COCO (val2017), con una semilla."""
    known = coco_images(*coco_files("train"), settings.size, moved=True)
    test = coco_images(*coco_files("val"), settings.size)
    blind = photo_precision(boxes_of_another(test), test)
    rows = [{"detector": "las cajas de otra foto", "parámetros": 0} | blind]
    collate = partial(padded, max_objects=settings.sizes["n_queries"])
    for number, name in enumerate(settings.detectors):
        step = LADDER[name]
        model = trained(
            partial(build, step, len(known.classes), **settings.sizes),
            EndlessLoader(known, settings.batch_size, seed=0, collate=collate),
            step.loss.with_terms, settings, seed=0,
            checkpoint=Checkpoint(folder / f"detector_{number}.safetensors", settings.save_every),
        ).model  # fmt: skip
        found = detect_photos(model.to(default_device()), test, step.loss.scores)
        size = {"detector": name, "parámetros": n_parameters(model)}
        rows.append(size | photo_precision(found, test))
    return rows


RUNS = {
    "coco_cajas": FullRun(
        name="coco_cajas",
        title="COCO 2017, precisión media de las cajas en val2017",
        sources=(COCO_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=10,
        hours=9,
    ),
    "detr_publicado": PUBLISHED,
}
