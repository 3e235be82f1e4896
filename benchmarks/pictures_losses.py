"""La pérdida de CLIP contra la de SigLIP con dos lotes, y lo que se acierta con etiquetas.

Todos con los mismos dibujos para entrenar y los mismos doscientos reservados, por semilla. Se mide
otra vez con `python -m benchmarks perdidas_de_parejas --semillas 3 --escribir`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from statistics import mean

from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.models.clip import Clip, Siglip
from tfcourse.multimodal.pictures import clip, mmbt
from tfcourse.multimodal.pictures.clip import N_TEST, TEMPLATES, WAYS, zero_shot_logits
from tfcourse.multimodal.pictures.pairs import split_named
from tfcourse.text.bert.recipe import load as load_bert

NAME = "perdidas_de_parejas"
LOSSES = {"softmax": Clip, "sigmoide": Siglip}
BATCHES = 16, 128
LABELLED = "solo imagen, con etiquetas"


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "clip": asdict(clip.Recipe()),
        "mmbt": asdict(mmbt.Recipe()),
        "losses": list(LOSSES),
        "batches": list(BATCHES),
        "ways": {name: list(ways) for name, ways in WAYS.items()},
        "templates": list(TEMPLATES),
        "n_test": N_TEST,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Por semilla: cada pérdida con cada lote, a los mismos pasos, y quien aprende con etiquetas."""
    for seed in seeds:
        for batch in BATCHES:
            for name in LOSSES:
                yield measure_towers(name, batch, seed)
        yield measure_labelled(seed)


def measure_towers(name: str, batch: int, seed: int) -> dict:
    """Lo que recupera y lo que clasifica sin ejemplos un par de torres."""
    train, test = split_named(seed, N_TEST)
    recipe = clip.Recipe(batch_size=batch)
    model = clip.train(recipe, seed, pairs=train, kind=LOSSES[name]).model
    _, tokenizer = load_bert("bert_espanol")
    row = {"model": name, "batch": batch, "seed": seed} | clip.retrieval(model, test)
    return row | shares(zero_shot_logits(model, tokenizer, test), test.groups)


def measure_labelled(seed: int) -> dict:
    """Lo mismo que se pide a las torres, con las etiquetas de los dibujos de entrenar."""
    train, test = split_named(seed, N_TEST)
    model = mmbt.train(mmbt.Recipe(), seed, pairs=train, sight="solo imagen").model
    row = {"model": LABELLED, "batch": mmbt.Recipe().batch_size, "seed": seed}
    return row | shares(mmbt.group_logits(model, test), test.groups)


def shares(logits: Float[Tensor, "N K"], groups: Int[Tensor, " N"]) -> dict[str, float]:
    """Qué parte acierta de todos los dibujos, y de media en cada grupo."""
    right = (logits.argmax(dim=1) == groups).float()
    by_group = [float(right[groups == k].mean()) for k in groups.unique()]
    return {"acierto": float(right.mean()), "media por grupo": mean(by_group)}
