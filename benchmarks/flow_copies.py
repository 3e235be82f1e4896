"""Generar imágenes: cuánto copia el DiT si se le dan pocas cifras, con los mismos pasos.

Se vuelve a medir con `python -m benchmarks generar_copias --escribir`, unos minutos de procesador.
Cada semilla escoge sus cifras, las mismas de cada clase. El umbral de copia es el de siempre, con
las que se le dieron: la distancia que solo una de cada veinte reservadas deja de alcanzar. Con
todas las cifras, las filas son las de la tabla «generar».
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from statistics import mean

import torch

from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.models.dit import DiT
from tfcourse.multimodal.flow.losses import image_flow_loss
from tfcourse.multimodal.flow.metrics import copy_threshold, measured, nearest
from tfcourse.multimodal.flow.recipe import Recipe, asked, batches, draw, judge, train

NAME, N_PER_CLASS = "generar_copias", 25
PER_CLASS = (5, 20)  # de cada cifra
GUIDANCES = (1.0, 2.0)
N_BATCHES, LOSS_SEED = 60, 1_000  # con qué viajes se mide la pérdida al acabar
# Lo bastante barata para volver a medirla en una prueba.
SHORT = 5


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "recipe": asdict(Recipe()),
        "per_class": list(PER_CLASS),
        "guidances": list(GUIDANCES),
        "n_per_class": N_PER_CLASS,
        "loss": [N_BATCHES, LOSS_SEED],
        "short": SHORT,
    }


def given(per_class: int, seed: int) -> LabelledImages:
    """Las cifras que se le dan: unas pocas de cada, que dependen de la semilla."""
    return few_per_class(split_digits()[0], per_class, seed)


@torch.no_grad()
def final_loss(model: DiT, data: LabelledImages) -> float:
    """La pérdida del modelo con unas cifras, en viajes que no son los de entrenar."""
    trips = batches(Recipe(), LOSS_SEED, data)
    return mean(float(image_flow_loss(model, next(trips))) for _ in range(N_BATCHES))


def run(per_class: int, seed: int, steps: int) -> Iterator[dict]:
    """Entrena con esas cifras y mide lo que dibuja con cada guía."""
    data, held_out = given(per_class, seed), split_digits()[1]
    model = train(Recipe(steps=steps), seed, data=data).model
    about = {
        "images": len(data),
        "steps": steps,
        "seed": seed,
        "loss": final_loss(model, data),
        "loss_held_out": final_loss(model, held_out),
        "threshold": copy_threshold(data.images, held_out.images),
        "distance_held_out": float(nearest(held_out.images, data.images)[0].median()),
    }
    for guidance in GUIDANCES:
        drawn = draw(model, asked(N_PER_CLASS), guidance=guidance, seed=seed)
        row = about | {"guidance": guidance} | measured(judge(), drawn, data, held_out)
        yield {key: round(value, 4) for key, value in row.items()}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por tamaño, semilla y guía; y las de un entrenamiento cortísimo."""
    for seed in seeds:
        for per_class in PER_CLASS:
            yield from run(per_class, seed, Recipe().steps)
    yield from run(PER_CLASS[0], 0, SHORT)
