"""Qué cambia en Pix2Seq cada decisión: orden, coordenadas suaves, marcas, ruido y ojos.

Se vuelve a medir con `python -m tfcourse tablas pix2seq`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from tfcourse.box_writing import stop_as_event, stop_as_word
from tfcourse.datasets.box_sequences import Writing
from tfcourse.datasets.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.detection_metrics import average_precision
from tfcourse.detection_recall import recall
from tfcourse.detection_table import SECONDS
from tfcourse.models.pix2seq import VARIANTS
from tfcourse.pix2seq_decoders import N_READ, read_once, train_decoder
from tfcourse.pix2seq_recipes import (
    ADAM_LR,
    BATCH_SIZE,
    BETAS,
    MUON_LR,
    N_TEST,
    SHIPPED_NAME,
    Writer,
    WritingRecipe,
    load_shipped,
    train_writer,
)
from tfcourse.shipped import weights_card

STEPS = 250  # de los decodificadores; los enteros tienen los segundos de la tabla de DETR
FACTORY = WritingRecipe()
DECODERS = {
    "de fábrica": FACTORY,
    "coordenadas duras": replace(FACTORY, width=0.0),
    "por tamaño": replace(FACTORY, writing=Writing("tamaño")),
    "por sitio": replace(FACTORY, writing=Writing("sitio")),
    "17 marcas": replace(FACTORY, n_bins=17, width=0.5),
    "con ruido": replace(FACTORY, writing=Writing(n_noise=4)),
}
WHOLE = {"entero": FACTORY, "entero, sin colorear": replace(FACTORY, eyes=0.0)}


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "steps": STEPS,
        "cpu_seconds": SECONDS,
        "scenes": asdict(SHAPE_SCENES),
        "n_read": N_READ,
        "batch_size": BATCH_SIZE,
        "optimizer": [MUON_LR, ADAM_LR, list(BETAS)],
        "n_test": N_TEST,
        "sizes": VARIANTS["aula"],
        "eyes": weights_card(SHIPPED_NAME).sha256,
        "decoders": {name: asdict(recipe) for name, recipe in DECODERS.items()},
        "whole": {name: asdict(recipe) for name, recipe in WHOLE.items()},
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla y receta: decodificadores con los mismos ojos, y modelos enteros."""
    eyes = load_shipped()
    for seed in seeds:
        read = read_once(eyes, N_READ, seed)
        for name, recipe in DECODERS.items():
            yield {"recipe": name, "seed": seed} | quality(
                train_decoder(eyes, recipe, seed, STEPS, read)
            )
        for name, recipe in WHOLE.items():
            trained = train_writer(recipe, seed, cpu_seconds=SECONDS)
            yield {"recipe": name, "seed": seed} | quality(trained)


def quality(writer: Writer) -> dict[str, float]:
    """Precisión media y exhaustividad, acabando de las dos maneras."""
    test = reserved_scenes(N_TEST, writer.scenes)
    found = writer.detect(test.images, stop=stop_as_event)
    early = writer.detect(test.images, stop=stop_as_word)
    return (
        {"updates": len(writer.history.loss)}
        | average_precision(found, test)
        | recall(found, test)
        | {"exhaustividad con FIN voraz": recall(early, test)["exhaustividad"]}
    )
