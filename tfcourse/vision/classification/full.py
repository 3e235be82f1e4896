"""A escala real: un ViT y una red convolucional, con las mismas fotos y los mismos pasos."""

from dataclasses import dataclass, field
from pathlib import Path

from tfcourse.datasets.folders.cifar import CIFAR10_SOURCE, cifar10
from tfcourse.datasets.pictures.augmentation import Augmentation
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.vision.classification.metrics import image_accuracy, majority_accuracy
from tfcourse.vision.classification.recipe import Recipe, train


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
        "ViT": {"patch_size": 8, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32},
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
    )
}
