"""Controles de las cifras: los mismos pasos para todos, y qué se pierde al ampliar la imagen.

Se mide con `python -m benchmarks vision_controles --escribir`, unos tres minutos de procesador.
"""

from collections.abc import Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.classification import study_row, training_of
from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.models.vit import VARIANTS, ViT, resized
from tfcourse.training.budget import Steps
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.classification.recipe import CONTESTANTS, train

NAME = "vision_controles"
EQUAL_STEPS = 150  # los de la red convolucional, que es quien menos da
LARGE = 12  # lado de las cifras ampliadas
BLIND = "ViT sin posiciones"


def enlarged(examples: LabelledImages, side: int) -> LabelledImages:
    """Las mismas imágenes, ampliadas."""
    images = F.interpolate(examples.images, size=(side, side), mode="bilinear")
    return LabelledImages(images, examples.labels)


def on_large_images(model: nn.Module, test: LabelledImages) -> dict[str, float]:
    """Acierto con las imágenes ampliadas; un ViT con posiciones, de dos maneras."""
    big = enlarged(test, LARGE)
    if not isinstance(model, ViT):
        return {"ampliadas": image_accuracy(model, big)}
    stretched = resized(model, LARGE)
    found = {"ampliadas": image_accuracy(stretched, big)}
    if model.config.positions == "aprendidas":
        torch.manual_seed(0)
        nn.init.normal_(stretched.positions.table.weight, std=0.5)
        found["ampliadas, posiciones al azar"] = image_accuracy(stretched, big)
    return found


def settings() -> dict:
    """La receta de los controles."""
    return {
        "contestants": {n: [r.options, training_of(r)] for n, r in CONTESTANTS.items()},
        "size": VARIANTS["aula"],
        "equal_steps": EQUAL_STEPS,
        "large": LARGE,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por control, red y semilla."""
    known, test = split_digits()
    for seed in seeds:
        row = {"seed": seed}
        for name, recipe in CONTESTANTS.items():
            model = train(recipe, seed, Steps(EQUAL_STEPS), data=known).model
            yield row | study_row("iguales pasos", name, EQUAL_STEPS, image_accuracy(model, test))
        tested = {"ViT": ("ViT", {}), BLIND: ("ViT", {"positions": "ninguna"}), "CNN": ("CNN", {})}
        for name, (network, options) in tested.items():
            model = train(CONTESTANTS[network], seed, data=known, **options).model
            yield row | study_row("ampliar", name, "como al aprender", image_accuracy(model, test))
            for case, found in on_large_images(model, test).items():
                yield row | study_row("ampliar", name, case, found)
