"""A escala real: un DiT que dibuja las diez clases de CIFAR-10, mirado por un clasificador."""

from dataclasses import dataclass, field
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.folders.cifar import CIFAR10_SOURCE, cifar10
from tfcourse.datasets.pictures.augmentation import Augmentation
from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.models.dit import DiT
from tfcourse.multimodal.flow.metrics import measured
from tfcourse.multimodal.flow.recipe import Recipe, draw, train
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.vision.classification import recipe as classification

N_CLASSES, N_AT_ONCE = 10, 250


@dataclass(frozen=True)
class Full:
    """Pasos y lote de cada red, cada cuánto se guarda, cuánto se dibuja y los tamaños.

    `judge` es el ViT que mira los dibujos y `maker`, el DiT; `guidances`, las guías que se miden.
    """

    steps: int = 60_000
    judge_steps: int = 20_000
    batch_size: int = 128
    save_every: int = 1_000
    n_per_class: int = 500
    n_steps: int = 50
    guidances: tuple = (1.0, 1.5, 2.0, 4.0)
    judge: dict = field(
        default_factory=lambda: {
            "patch_size": 4, "d_model": 256, "n_heads": 8, "n_layers": 6, "d_hidden": 1024
        }
    )  # fmt: skip
    maker: dict = field(
        default_factory=lambda: {
            "patch_size": 2, "d_model": 384, "n_heads": 6, "n_layers": 8, "d_hidden": 1536
        }
    )  # fmt: skip


TINY = {"patch_size": 8, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16}
REHEARSAL = Full(
    steps=4,
    judge_steps=4,
    batch_size=8,
    save_every=2,
    n_per_class=2,
    n_steps=2,
    guidances=(1.0, 2.0),
    judge=TINY,
    maker=TINY,
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acuerdo del juez, variedad, copias y Fréchet con las fotos de evaluar de CIFAR-10."""
    photos, test = cifar10(train=True), cifar10(train=False)
    shape = {"channels": 3, "image_size": 32}
    judge = classification.train(
        classification.Recipe(
            settings.judge_steps, settings.batch_size,
            moves=Augmentation(shift=2.0, degrees=8.0, scale=0.1),
        ),
        0, data=photos, checkpoint=Checkpoint(folder / "juez.safetensors", settings.save_every),
        **shape | settings.judge,
    ).model.to(default_device())  # fmt: skip
    recipe = Recipe(settings.steps, settings.batch_size, options=shape | settings.maker)
    point = Checkpoint(folder / "dit.safetensors", settings.save_every)
    maker = train(recipe, 0, data=photos, n_classes=N_CLASSES, checkpoint=point).model
    asked = torch.arange(N_CLASSES).repeat_interleave(settings.n_per_class)
    drawings = {"fotos reservadas": test, "copiar al azar": copies(photos, asked)}
    for guidance in settings.guidances:
        made = many(maker.to(default_device()), asked, settings.n_steps, guidance)
        drawings[f"DiT, guía {guidance:g}"] = made
    return [
        {"quién dibuja": name} | measured(judge, drawn, photos, test)
        for name, drawn in drawings.items()
    ]


def copies(photos: LabelledImages, asked: Int[Tensor, " N"]) -> LabelledImages:
    """Una foto de entrenar al azar de cada clase pedida."""
    generator = torch.Generator().manual_seed(0)
    rows = []
    for label, count in enumerate(asked.bincount().tolist()):
        own = (photos.labels == label).nonzero().flatten()
        rows.append(own[torch.randint(len(own), (count,), generator=generator)])
    return LabelledImages(photos.images[torch.cat(rows)], asked)


def many(model: DiT, asked: Int[Tensor, " N"], n_steps: int, guidance: float) -> LabelledImages:
    """Muchos dibujos, por partes, cada parte con su semilla."""
    parts = [
        draw(model, some, n_steps=n_steps, guidance=guidance, seed=seed).images
        for seed, some in enumerate(asked.split(N_AT_ONCE))
    ]
    return LabelledImages(torch.cat(parts), asked)


RUNS = {
    "cifar_dibujado": FullRun(
        name="cifar_dibujado",
        title="CIFAR-10, lo que dibuja un DiT",
        sources=(CIFAR10_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=12,
        hours=8,
    )
}
