"""A escala real: tres cabezas de pose, con las mismas personas de COCO y los mismos pasos."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import torch

from tfcourse.datasets.folders.coco import COCO_SOURCE, coco_files
from tfcourse.datasets.folders.keypoint_folders import COCO_JOINTS, coco_people
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.photo_folders import together
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.pose import HEADS, VARIANTS, KeypointTransformer, PoseConfig
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.training.recipe import MuonRecipe, trained
from tfcourse.vision.pose.metrics import locate_people, people_precision
from tfcourse.vision.pose.published import RUN as PUBLISHED
from tfcourse.vision.pose.recipe import pose_loss


@dataclass(frozen=True)
class Full(MuonRecipe):
    """Pasos, lote y lado de los recortes, cada cuánto se guarda, ritmos, cabezas y tamaño.

    El tamaño es el del Transformer de Li et al. (2021), con una red que lee el recorte sin
    preentrenar.
    """

    steps: int = 30_000
    muon_lr: float = 0.01
    adam_lr: float = 5e-4
    batch_size: int = 128
    size: int = 192
    save_every: int = 2_000
    heads: tuple = HEADS
    sizes: dict = field(default_factory=lambda: dict(VARIANTS["TokenPose-B"]))
    betas = (0.9, 0.98)
    warmup = 0.05


REHEARSAL = Full(
    steps=4,
    batch_size=2,
    size=32,
    save_every=2,
    sizes={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16},
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """OKS-AP en las personas de evaluar de COCO (val2017), con sus cajas y una semilla."""
    known = coco_people(*coco_files("train", "person_keypoints"), settings.size, moved=True)
    test = coco_people(*coco_files("val", "person_keypoints"), settings.size)
    everyone = known.mean_pose().expand(len(test), -1, -1)
    blind = people_precision(everyone, torch.ones(len(test)), test)
    rows = [{"cabeza": "la pose media", "parámetros": 0} | blind]
    for number, head in enumerate(settings.heads):
        config = PoseConfig(len(COCO_JOINTS), settings.size, head=head, **settings.sizes)
        model = trained(
            partial(KeypointTransformer, config),
            EndlessLoader(known, settings.batch_size, seed=0, collate=together),
            pose_loss, settings, seed=0,
            checkpoint=Checkpoint(folder / f"cabeza_{number}.safetensors", settings.save_every),
        ).model  # fmt: skip
        found = locate_people(model.to(default_device()), test)
        size = {"cabeza": head, "parámetros": n_parameters(model)}
        rows.append(size | people_precision(*found, test))
    return rows


RUNS = {
    "coco_poses": FullRun(
        name="coco_poses",
        title="COCO 2017, precisión media de las poses en val2017, con las cajas anotadas",
        sources=(COCO_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=12,
        hours=10,
    ),
    "vitpose_publicado": PUBLISHED,
}
