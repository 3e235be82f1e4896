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
SMALL, USUAL = 32, Recipe().batch_size
RUNS = (("CLIP", SMALL), ("SigLIP", SMALL), ("SigLIP", USUAL))


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {"recipe": asdict(Recipe()), "runs": [list(run) for run in RUNS], "n_test": N_TEST}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, pérdida y lote: lo que recupera en pares no vistos."""
    for seed in seeds:
        for loss, batch in RUNS:
            yield run(loss, batch, seed)


def run(loss: str, batch: int, seed: int, recipe: Recipe | None = None) -> dict:
    """Entrena con una pérdida y un lote, y busca entre los pares reservados."""
    train, test = split_named(seed, N_TEST)
    recipe = replace(recipe or Recipe(), batch_size=batch)
    model = clip.train(recipe, seed, pairs=train, kind=KINDS[loss]).model
    row = {"loss": loss, "batch": batch, "seed": seed, "parameters": n_parameters(model)}
    return row | retrieval(model, test)
