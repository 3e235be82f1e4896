"""La pérdida de CLIP y la de SigLIP, con las mismas torres, los mismos pasos y los mismos lotes.

Se vuelve a medir con `python -m benchmarks siglip --semillas 3 --escribir`, unos siete minutos de
procesador. CLIP con el lote de la receta ya está en la tabla «dibujos», y aquí no se repite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.clip import Clip, Siglip
from tfcourse.multimodal.pictures import clip
from tfcourse.multimodal.pictures.clip import N_TEST, Recipe, retrieval
from tfcourse.multimodal.pictures.pairs import split_named

NAME = "siglip"
KINDS = {"CLIP": Clip, "SigLIP": Siglip}
USUAL, SMALL = Recipe(), replace(Recipe(), batch_size=32)
SHORT = replace(SMALL, steps=10)  # lo bastante barata para volver a medirla en una prueba
RUNS = (("CLIP", SMALL), ("SigLIP", SMALL), ("SigLIP", USUAL), ("SigLIP", SHORT))


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {"runs": [[loss, asdict(recipe)] for loss, recipe in RUNS], "n_test": N_TEST}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, pérdida y lote: lo que recupera en parejas no vistas."""
    for seed in seeds:
        for loss, recipe in RUNS:
            yield run(loss, recipe, seed)


def run(loss: str, recipe: Recipe, seed: int) -> dict:
    """Entrena con una pérdida y busca entre las parejas reservadas."""
    train, test = split_named(seed, N_TEST)
    model = clip.train(recipe, seed, pairs=train, kind=KINDS[loss]).model
    row = {"loss": loss, "batch": recipe.batch_size, "steps": recipe.steps, "seed": seed}
    return row | {"parameters": n_parameters(model)} | retrieval(model, test)
