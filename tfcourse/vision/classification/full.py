"""A escala real: un ViT y una red convolucional, con las mismas fotos y los mismos pasos."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import mean

from tfcourse.datasets.folders.chest import CHEST_SOURCE, PATHOLOGIES, published_xrays
from tfcourse.datasets.folders.cifar import CIFAR10_SOURCE, cifar10
from tfcourse.datasets.pictures.augmentation import Augmentation, moved_batches
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.training.recipe import trained
from tfcourse.vision.classification.losses import findings_loss
from tfcourse.vision.classification.metrics import (
    finding_areas,
    image_accuracy,
    image_logits,
    majority_accuracy,
)
from tfcourse.vision.classification.published import published_run
from tfcourse.vision.classification.recipe import Recipe, build, train


@dataclass(frozen=True)
class Full:
    """Cuántos pasos, con qué lote, cada cuánto se guarda y el tamaño de cada red."""

    steps: int = 20_000
    batch_size: int = 512
    save_every: int = 1_000
    networks: dict = field(
        default_factory=lambda: {
            "ViT": {"patch_size": 4, "d_model": 256, "n_heads": 8, "n_layers": 8, "d_hidden": 1024},
            "CNN": {"widths": (64, 128, 256)},
        }
    )


REHEARSAL = Full(
    steps=6,
    batch_size=4,
    save_every=2,
    networks={
        "ViT": {"patch_size": 4, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32},
        "CNN": {"widths": (4, 8)},
    },
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto en las 10 000 fotos de evaluar de CIFAR-10, con una semilla."""
    known, test = cifar10(train=True), cifar10(train=False)
    trivial = {"red": "la clase más frecuente", "parámetros": 0}
    rows = [trivial | {"acierto": majority_accuracy(known, test)}]
    moves = Augmentation(shift=2.0, degrees=8.0, scale=0.1)
    for name, size in settings.networks.items():
        recipe = Recipe(settings.steps, settings.batch_size, moves=moves, network=name)
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        image = {"channels": 3} | ({"image_size": 32} if name == "ViT" else {})
        model = train(recipe, 0, data=known, checkpoint=point, **size, **image).model
        accuracy = image_accuracy(model.to(default_device()), test)
        rows.append({"red": name, "parámetros": n_parameters(model), "acierto": accuracy})
    return rows


XRAYS = Full(
    steps=6_000,
    batch_size=256,
    networks={
        "ViT": {"patch_size": 4, "d_model": 192, "n_heads": 6, "n_layers": 6, "d_hidden": 768},
        "CNN": {"widths": (64, 128, 256)},
    },
)


def measure_findings(settings: Full, folder: Path) -> list[dict]:
    """AUROC de cada hallazgo en las radiografías de evaluar de ChestMNIST, con una semilla."""
    known, test = published_xrays("entrenar"), published_xrays("evaluar")
    moves = Augmentation(shift=1.0, degrees=5.0, scale=0.05)  # sin reflejo: el corazón va a un lado
    areas = {"al azar": [0.5] * len(PATHOLOGIES)}
    for name, size in settings.networks.items():
        recipe = Recipe(settings.steps, settings.batch_size, moves=moves, network=name)
        image = {"image_size": known.images.shape[-1]} if name == "ViT" else {}
        model = trained(
            partial(build, recipe, len(PATHOLOGIES), **size, **image),
            moved_batches(known.images, known.findings, recipe.batch_size, moves=moves),
            findings_loss, recipe, 0,
            checkpoint=Checkpoint(folder / f"{name}.safetensors", settings.save_every),
        ).model  # fmt: skip
        scores = image_logits(model.to(default_device()), test.images)
        areas[name] = finding_areas(scores, test.findings)
    cases = test.findings.sum(dim=0).int().tolist()
    rows = [
        {"hallazgo": what, "casos": n} | {name: found[i] for name, found in areas.items()}
        for i, (what, n) in enumerate(zip(PATHOLOGIES, cases, strict=True))
    ]
    means = {name: mean(found) for name, found in areas.items()}
    return [*rows, {"hallazgo": "media", "casos": sum(cases)} | means]


RUNS = {
    "cifar": FullRun(
        name="cifar",
        title="CIFAR-10, acierto al evaluar",
        sources=(CIFAR10_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=6,
        hours=1.5,
    ),
    "torax": FullRun(
        name="torax",
        title="ChestMNIST, AUROC de cada hallazgo al evaluar",
        sources=(CHEST_SOURCE,),
        settings=XRAYS,
        rehearsal=REHEARSAL,
        measure=measure_findings,
        gpu_gigabytes=4,
        hours=0.5,
    ),
    "vit_publicado": published_run(
        "vit_publicado",
        "ViT publicado, en nuestra clase: lo que ve en la foto del capítulo",
        ("google/vit-base-patch16-224",),
    ),
}
