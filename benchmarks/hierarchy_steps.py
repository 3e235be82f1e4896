"""Un ViT, un Swin y un ConvNeXt leen cifras grandes, con los mismos pasos y los mismos lotes.

Es la otra mitad de `jerarquia`, que les da el mismo tiempo. Se mide con `python -m benchmarks
jerarquia_pasos --escribir`, un minuto y medio de procesador.
"""

from collections.abc import Iterator, Sequence

from benchmarks import hierarchy
from tfcourse.training.budget import Steps
from tfcourse.vision.hierarchy.recipe import READERS, train

NAME = "jerarquia_pasos"
STEPS = (150,)  # los que vienen a caberle al ViT en el tiempo de `jerarquia`
RIVALS = ("ViT", "Swin", "ConvNeXt")


def settings() -> dict:
    """La receta de la comparación larga, con los pasos en lugar de los segundos."""
    whole = hierarchy.settings()
    return {name: value for name, value in whole.items() if name != "cpu_seconds"} | {
        "steps": list(STEPS),
        "readers": list(RIVALS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por número de pasos, red y semilla."""
    for steps in STEPS:
        for seed in seeds:
            for name in RIVALS:
                accuracy = train(READERS[name], seed, Steps(steps)).score(seed)
                yield {"seed": seed, "steps": steps, "reader": name, "accuracy": accuracy}
