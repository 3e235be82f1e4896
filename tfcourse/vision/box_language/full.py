"""A escala real: Pix2Seq con las fotos de COCO, con objetos de ruido y sin ellos."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tfcourse.datasets.folders.coco import COCO_SOURCE, coco_files
from tfcourse.datasets.folders.detection_folders import WrittenPhotos, coco_images
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.photo_folders import together
from tfcourse.datasets.scenes.box_sequences import Writing
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.pix2seq import VARIANTS, Pix2Seq, Pix2SeqConfig
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.training.recipe import MuonRecipe, trained
from tfcourse.vision.box_language.writing import WritingLoss, read_photos, stop_as_event
from tfcourse.vision.detection.metrics import boxes_of_another, photo_precision


@dataclass(frozen=True)
class Full(MuonRecipe):
    """Pasos, lote y lado de las fotos, cada cuánto se guarda, ritmos y tamaño del modelo.

    `max_objects` son los objetos que se escriben de cada foto, y `noise`, cuántos inventados van
    detrás en cada una de las dos maneras de escribir; con 0, se acaba en FIN. `width` es la de las
    coordenadas suaves. Los tamaños son los de Chen et al. (2022), con una red que lee la foto sin
    preentrenar.
    """

    steps: int = 100_000
    muon_lr: float = 0.01
    adam_lr: float = 3e-4
    batch_size: int = 16
    size: int = 256
    save_every: int = 5_000
    max_objects: int = 40
    noise: dict = field(default_factory=lambda: {"hasta FIN": 0, "con ruido": 20})
    n_bins: int = 513
    width: float = 1.0
    sizes: dict = field(default_factory=lambda: dict(VARIANTS["base"]))
    betas = (0.9, 0.98)
    warmup = 0.05


REHEARSAL = Full(
    steps=4,
    batch_size=2,
    size=32,
    save_every=2,
    max_objects=3,
    noise={"hasta FIN": 0, "con ruido": 2},
    n_bins=17,
    sizes={"d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1, "d_hidden": 16},
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Precisión media en las fotos de evaluar de COCO (val2017), con una semilla."""
    known = coco_images(*coco_files("train"), settings.size, moved=True)
    test = coco_images(*coco_files("val"), settings.size)
    blind = photo_precision(boxes_of_another(test), test)
    rows = [{"Pix2Seq": "las cajas de otra foto", "parámetros": 0} | blind]
    for name, n_noise in settings.noise.items():
        most = settings.max_objects + n_noise
        config = Pix2SeqConfig(len(known.classes), settings.n_bins, most, **settings.sizes)
        writing = Writing(n_noise=n_noise)
        written = WrittenPhotos(known, config.vocabulary, writing, settings.max_objects)
        model = trained(
            partial(Pix2Seq, config),
            EndlessLoader(written, settings.batch_size, seed=0, collate=together),
            WritingLoss(config.vocabulary, settings.width), settings, seed=0,
            checkpoint=Checkpoint(folder / f"ruido_{n_noise}.safetensors", settings.save_every),
        ).model  # fmt: skip
        stop = None if n_noise else stop_as_event
        found = read_photos(model.to(default_device()), test, stop=stop)
        size = {"Pix2Seq": name, "parámetros": n_parameters(model)}
        rows.append(size | photo_precision(found, test))
    return rows


RUNS = {
    "coco_palabras": FullRun(
        name="coco_palabras",
        title="COCO 2017, precisión media de las cajas escritas en val2017",
        sources=(COCO_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=12,
        hours=10,
    )
}
