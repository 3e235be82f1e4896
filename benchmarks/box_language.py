"""Qué cambia en Pix2Seq cada decisión: orden, coordenadas suaves, marcas, ruido y ojos.

Se vuelve a medir con `python -m benchmarks pix2seq`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from benchmarks.detection import SECONDS
from tfcourse.datasets.scenes.box_sequences import Writing
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.models.pix2seq import VARIANTS
from tfcourse.training.budget import CpuSeconds, Steps
from tfcourse.vision.box_language import decoders
from tfcourse.vision.box_language.decoders import N_READ, read_once
from tfcourse.vision.box_language.recipe import FACTORY, N_TEST, Recipe, Writer, load, train
from tfcourse.vision.box_language.writing import stop_as_event, stop_as_word
from tfcourse.vision.detection.metrics import FATES, average_precision, box_fates, recall
from tfcourse.weights.shipped import weights_card

NAME, EYES = "pix2seq", "pix2seq_figuras"
STEPS = 250  # de los decodificadores; los enteros tienen los segundos de la tabla de DETR
DECODERS = {
    "de fábrica": FACTORY,
    "coordenadas duras": replace(FACTORY, width=0.0),
    "por tamaño": replace(FACTORY, writing=Writing("tamaño")),
    "por sitio": replace(FACTORY, writing=Writing("sitio")),
    "17 marcas": replace(FACTORY, n_bins=17, width=0.5),
    "con ruido": replace(FACTORY, writing=Writing(n_noise=4)),
}
WHOLE = {
    "entero": FACTORY,
    "entero, coordenadas duras": replace(FACTORY, width=0.0),
    "entero, sin colorear": replace(FACTORY, eyes=0.0),
    "entero, solo palabras": replace(FACTORY, width=0.0, eyes=0.0),
}


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "steps": STEPS,
        "cpu_seconds": SECONDS,
        "scenes": asdict(SHAPE_SCENES),
        "n_read": N_READ,
        "batch_size": Recipe.batch_size,
        "optimizer": [Recipe.muon_lr, Recipe.adam_lr, list(Recipe.betas)],
        "n_test": N_TEST,
        "sizes": VARIANTS["aula"],
        "eyes": weights_card(EYES).sha256,
        "decoders": {name: asdict(recipe) for name, recipe in DECODERS.items()},
        "whole": {name: asdict(recipe) for name, recipe in WHOLE.items()},
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y receta: decodificadores con los mismos ojos, y modelos enteros."""
    eyes = load(EYES)
    for seed in seeds:
        read = read_once(eyes, N_READ, seed)
        for name, recipe in DECODERS.items():
            writer = decoders.train(recipe, seed, Steps(STEPS), eyes=eyes, read=read)
            yield {"recipe": name, "seed": seed} | quality(writer)
        for name, recipe in WHOLE.items():
            writer = train(recipe, seed, CpuSeconds(SECONDS))
            yield {"recipe": name, "seed": seed} | quality(writer)


def quality(writer: Writer) -> dict[str, float]:
    """Precisión media, exhaustividad acabando de las dos maneras, y adónde va lo que sobra."""
    test = reserved_scenes(N_TEST, writer.scenes)
    found = writer.detect(test.images, stop=stop_as_event)
    early = writer.detect(test.images, stop=stop_as_word)
    fates = box_fates(found, test)
    return (
        {"updates": len(writer.history.loss)}
        | average_precision(found, test)
        | recall(found, test)
        | {"exhaustividad con FIN voraz": recall(early, test)["exhaustividad"]}
        | {name: int(fates[name].sum()) for name in FATES[1:]}
    )
