"""A escala real: destilar con CIFAR-10, con pocas fotos etiquetadas y muchas sin etiquetar."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tfcourse.datasets.folders.cifar import CIFAR10_SOURCE, cifar10
from tfcourse.datasets.pictures.augmentation import Augmentation
from tfcourse.datasets.pictures.digits import few_per_class
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.classification.metrics import image_accuracy, majority_accuracy
from tfcourse.vision.classification.published import published_run
from tfcourse.vision.distillation.recipe import Recipe, train


@dataclass(frozen=True)
class Full:
    """Pasos, lote y cada cuánto se guarda; fotos etiquetadas por clase y el tamaño de cada red.

    El maestro es una red convolucional y el alumno, un DeiT.
    """

    steps: int = 15_000
    batch_size: int = 512
    save_every: int = 1_000
    per_class: int = 500
    widths: tuple = (64, 128, 256)
    student: dict = field(
        default_factory=lambda: {
            "patch_size": 4, "d_model": 256, "n_heads": 8, "n_layers": 6, "d_hidden": 1024
        }
    )  # fmt: skip


REHEARSAL = Full(
    steps=4,
    batch_size=8,
    save_every=2,
    per_class=2,
    widths=(4, 8),
    student={"patch_size": 8, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16},
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto en las 10 000 fotos de evaluar de CIFAR-10, con una semilla."""
    photos, test = cifar10(train=True), cifar10(train=False)
    few = few_per_class(photos, settings.per_class)
    shape = {
        "steps": settings.steps, "batch_size": settings.batch_size,
        "moves": Augmentation(shift=2.0, degrees=8.0, scale=0.1),
    }  # fmt: skip
    options = settings.student | {"channels": 3, "image_size": 32}

    def point(name: str) -> Checkpoint:
        return Checkpoint(folder / f"{name}.safetensors", settings.save_every)

    teacher = classification.train(
        classification.Recipe(network="CNN", **shape), 0, data=few, checkpoint=point("maestro"),
        channels=3, widths=settings.widths,
    ).model  # fmt: skip
    learn = partial(train, seed=0, labelled=few, **options)
    alone, taught = Recipe(**shape), Recipe(kind="dura", **shape)
    more = {"teacher": teacher, "pool": photos.images}
    networks = {
        "maestro": teacher,
        "alumno solo": learn(alone, checkpoint=point("solo")).model,
        "con maestro": learn(taught, teacher=teacher, checkpoint=point("mismas")).model,
        "con maestro y más fotos": learn(taught, **more, checkpoint=point("todas")).model,
    }
    guess = majority_accuracy(few, test)
    rows = [{"red": "la clase más frecuente", "parámetros": 0, "acierto": guess}]
    for name, model in networks.items():
        accuracy = image_accuracy(model.to(default_device()), test)
        rows.append({"red": name, "parámetros": n_parameters(model), "acierto": accuracy})
    return rows


RUNS = {
    "cifar_destilado": FullRun(
        name="cifar_destilado",
        title="CIFAR-10 con pocas etiquetas, acierto al evaluar",
        sources=(CIFAR10_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=6,
        hours=2,
    ),
    "variantes_publicadas": published_run(
        "variantes_publicadas",
        "DeiT y Swin publicados, en nuestras clases: lo que ven en la foto del Vision Transformer",
        (
            "facebook/deit-base-distilled-patch16-224",
            "microsoft/swin-tiny-patch4-window7-224",
        ),
    ),
}
