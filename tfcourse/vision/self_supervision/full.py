"""A escala real: MAE y un alumno con su maestro en CIFAR-10, y si ahorran etiquetas."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfcourse.datasets.folders.cifar import CIFAR10_SOURCE, cifar10
from tfcourse.datasets.pictures.augmentation import Augmentation
from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.self_supervision import masked, teacher
from tfcourse.vision.self_supervision.few_labels import (
    Features,
    features_of,
    neighbour_accuracy,
    pixels,
    probe_accuracy,
)

MOVES = Augmentation(shift=2.0, degrees=8.0, scale=0.1)
PHOTO = {"channels": 3, "image_size": 32}


@dataclass(frozen=True)
class Full:
    """Pasos y lote de todos, cada cuánto se guarda, etiquetas por clase y tamaños del codificador.

    `decoder` son los tamaños del decodificador de MAE, y `n_test`, con cuántas fotos se mide.
    """

    steps: int = 60_000
    batch_size: int = 256
    save_every: int = 1_000
    per_class: tuple[int, ...] = (10, 100, 1_000)
    n_test: int = 10_000
    n_prototypes: int = 1_024
    encoder: dict = field(
        default_factory=lambda: {
            "patch_size": 4, "d_model": 256, "n_heads": 8, "n_layers": 6, "d_hidden": 1024,
            "positions": "senos 2D",
        }
    )  # fmt: skip
    decoder: dict = field(
        default_factory=lambda: {
            "decoder_width": 128, "decoder_heads": 4, "decoder_layers": 2, "decoder_hidden": 512
        }
    )  # fmt: skip


TINY = {"patch_size": 8, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16}
TINY_DECODER = {
    "decoder_width": 8, "decoder_heads": 2, "decoder_layers": 1, "decoder_hidden": 8
}  # fmt: skip
REHEARSAL = Full(4, 8, 2, (1,), 20, 6, TINY, TINY_DECODER)


def learnt(settings: Full, photos: LabelledImages, folder: Path) -> dict[str, Features]:
    """Los rasgos de los dos que han aprendido con todas las fotos y ninguna etiqueta."""
    point = settings.save_every
    base = masked.Recipe(
        settings.steps, settings.batch_size, share=0.75, normed=True, moves=MOVES,
        options=PHOTO | settings.encoder | settings.decoder,
    )  # fmt: skip
    views = replace(
        teacher.SHIPPED, steps=settings.steps, batch_size=settings.batch_size, momentum=0.996,
        moves=Augmentation(4.0, 10.0, 0.3), erased=10, n_prototypes=settings.n_prototypes,
        pixel_mean=0.47, pixel_scale=0.25, options=PHOTO | settings.encoder,
    )  # fmt: skip
    painter = masked.train(
        base, 0, images=photos.images, checkpoint=Checkpoint(folder / "mae.safetensors", point)
    )
    pupil = teacher.train(
        views, 0, images=photos.images, checkpoint=Checkpoint(folder / "dino.safetensors", point)
    )
    return {
        "MAE": features_of(painter.model.encoder.cpu()),
        "maestro": features_of(pupil.model.teacher.encoder.cpu(), prepare=views.prepared),
    }


def from_scratch(
    settings: Full, few: LabelledImages, test: LabelledImages, folder: Path
) -> Iterator[dict]:
    """Los rivales que solo tienen esas etiquetas."""
    sizes = {"ViT": settings.encoder, "CNN": {"widths": (64, 128, 256)}}
    for name, options in sizes.items():
        recipe = classification.Recipe(
            settings.steps, min(settings.batch_size, len(few)), network=name, moves=MOVES
        )
        shape = PHOTO if name == "ViT" else {"channels": PHOTO["channels"]}
        point = Checkpoint(folder / f"{name}_{len(few)}.safetensors", settings.save_every)
        done = classification.train(recipe, 0, data=few, checkpoint=point, **shape | options)
        yield {"cómo": f"{name}, de cero", "acierto": image_accuracy(done.model, test)}


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto con fotos de evaluar de CIFAR-10, según las etiquetas por clase que se den."""
    photos, test = cifar10(train=True), cifar10(train=False)
    test = LabelledImages(test.images[: settings.n_test], test.labels[: settings.n_test])
    kinds = {"píxeles": pixels} | learnt(settings, photos, folder)
    rows = []
    for per_class in settings.per_class:
        few = few_per_class(photos, per_class)
        found = list(from_scratch(settings, few, test, folder))
        for name, features in kinds.items():
            for how, accuracy in (("vecinos", neighbour_accuracy), ("sonda", probe_accuracy)):
                found.append({"cómo": f"{name}, {how}", "acierto": accuracy(features, few, test)})
        rows += [{"etiquetas por clase": per_class} | row for row in found]
    return rows


RUNS = {
    "cifar_sin_etiquetas": FullRun(
        name="cifar_sin_etiquetas",
        title="CIFAR-10, con pocas etiquetas",
        sources=(CIFAR10_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=16,
        hours=14,
    )
}
