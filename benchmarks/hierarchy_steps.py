"""Un ViT, dos Swin y un ConvNeXt leen cifras grandes, con los mismos pasos y los mismos lotes.

Es la otra mitad de `jerarquia`, que les da el mismo tiempo. Se mide con `python -m benchmarks
jerarquia_pasos --escribir`, unos cinco minutos de procesador.
"""

from collections.abc import Iterator, Sequence

from benchmarks import hierarchy
from tfcourse.training.budget import Steps
from tfcourse.vision.hierarchy.recipe import READERS, train

NAME = "jerarquia_pasos"
STEPS = (150, 260)  # los que daban el ViT y el Swin en los doce segundos de `jerarquia`


def settings() -> dict:
    """La receta de la comparación larga, con los pasos en lugar de los segundos."""
    whole = hierarchy.settings()
    return {name: value for name, value in whole.items() if name != "cpu_seconds"} | {
        "steps": list(STEPS)
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por número de pasos, red y semilla."""
    for seed in seeds:
        for steps in STEPS:
            for name, recipe in READERS.items():
                reader = train(recipe, seed, Steps(steps))
                size = sum(p.numel() for p in reader.model.parameters())
                yield {
                    "seed": seed, "steps": steps, "reader": name, "parameters": size,
                    "accuracy": reader.score(seed),
                }  # fmt: skip
