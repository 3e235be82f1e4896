"""¿La misma cifra? Quién aprende una relación: seis fusiones, un cuello de botella y tres tardías.

Se vuelve a medir con `python -m benchmarks fusion_relacion --semillas 3 --escribir`, unos quince
minutos de procesador.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch
from torch import Tensor

from tfcourse.datasets.sounds.digit_pairs import DigitPairs, doubtful_pairs, split_pools
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.fusion import SIZES, UNIMODAL, FusionClassifier
from tfcourse.multimodal.fusion.decoding import late_fusion
from tfcourse.multimodal.fusion.metrics import pair_logits
from tfcourse.multimodal.fusion.relation import (
    HIDDEN,
    RIVALS,
    Recipe,
    split_answers,
    train,
)

NAME = "fusion_relacion"
N_TEST, N_TRAIN = 1_000, 1_000
PRODUCT, BY_HAND = "tardía, producto", "tardía, a mano"
# La misma variante, si no se le pide además que diga las cifras.
ONLY_RELATION, OF = "varios a uno, solo sí o no", "varios a uno"


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "recipe": asdict(Recipe()),
        "sizes": {k: v for k, v in SIZES["aula"].items() if k != "d_hidden"},
        "hidden": HIDDEN,
        "n_test": N_TEST,
        "n_train": N_TRAIN,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Por semilla: las dos modalidades sueltas, las dos tardías que salen de ellas y los demás."""
    for seed in seeds:
        alone = [train(Recipe(), seed, name=name).model for name in UNIMODAL]
        yield from (run(name, seed, model) for name, model in zip(UNIMODAL, alone, strict=True))
        yield from late_rows(alone, seed)
        yield from (run(name, seed) for name in (*RIVALS, ONLY_RELATION))


def run(name: str, seed: int, model: FusionClassifier | None = None) -> dict:
    """La fila de uno de los que compiten, que si no se da ya entrenado se entrena."""
    blind = name == ONLY_RELATION
    recipe = Recipe(digits=0.0 if blind else 1.0)
    model = model or train(recipe, seed, name=OF if blind else name).model
    row = {"model": name, "seed": seed, "parameters": used_parameters(model)}
    known, unseen = exams()
    return row | told(pair_logits(model, unseen), unseen) | {
        "known": told(pair_logits(model, known), known)["same"]
    }  # fmt: skip


def exams() -> tuple[DigitPairs, DigitPairs]:
    """Parejas de las manos y voces de entrenar, y de las reservadas; siempre las mismas."""
    return tuple(
        doubtful_pairs(pools, n, Recipe().damage, torch.Generator().manual_seed(1))
        for pools, n in zip(split_pools(), (N_TRAIN, N_TEST), strict=True)
    )


def told(logits: Tensor, pairs: DigitPairs) -> dict[str, float]:
    """Qué parte acierta de cada respuesta, la pérdida de la relación y lo seguro que está.

    De lo seguro: la probabilidad media de «son la misma», y la que da a las cifras que contesta,
    por separado en las parejas que lo son y en las que no.
    """
    seen, heard, agree = split_answers(logits)
    return {
        "seen": hits(seen, pairs.seen),
        "heard": hits(heard, pairs.heard),
        "same": hits(agree, pairs.agree.long()),
        "loss": float(torch.nn.functional.cross_entropy(agree, pairs.agree.long())),
        "yes_agree": float(agree.softmax(dim=1)[pairs.agree, 1].mean()),
        "yes_torn": float(agree.softmax(dim=1)[~pairs.agree, 1].mean()),
        "sure_agree": sureness(seen, heard, pairs.agree),
        "sure_torn": sureness(seen, heard, ~pairs.agree),
    }


def hits(logits: Tensor, labels: Tensor) -> float:
    """Parte que acierta."""
    return float((logits.argmax(dim=1) == labels).float().mean())


def sureness(seen: Tensor, heard: Tensor, rows: Tensor) -> float:
    """Probabilidad media que se da a las cifras contestadas, la vista y la oída, en unas filas."""
    tops = [logits.softmax(dim=1).amax(dim=1)[rows].mean() for logits in (seen, heard)]
    return float(sum(tops) / 2)


def late_rows(alone: Sequence[FusionClassifier], seed: int) -> Iterator[dict]:
    """Las dos redes de una modalidad, juntas: con sus «sí» y con sus cifras."""
    parameters = sum(used_parameters(model) for model in alone)
    answers = [
        [split_answers(pair_logits(model, pairs)) for model in alone] for pairs in exams()
    ]  # fmt: skip
    for name, rule in ((PRODUCT, product), (BY_HAND, by_hand)):
        known, unseen = (
            float((rule(*said) == pairs.agree).float().mean())
            for said, pairs in zip(answers, exams(), strict=True)
        )
        row = {"model": name, "seed": seed, "parameters": parameters}
        yield row | {"same": unseen, "known": known}


def product(image: Sequence[Tensor], sound: Sequence[Tensor]) -> Tensor:
    """El «sí» de la fusión tardía: el producto de los dos, entre su frecuencia, que es la mitad."""
    return late_fusion(image[2], sound[2], torch.full((2,), 0.5)).argmax(dim=1) == 1


def by_hand(image: Sequence[Tensor], sound: Sequence[Tensor]) -> Tensor:
    """Si es más probable que las dos cifras sean la misma que no, según cada modelo de la suya.

    Antes de mirar, la mitad de las parejas lo son: una coincidencia pesa nueve veces más que una
    de las noventa parejas distintas.
    """
    same = (image[0].softmax(dim=1) * sound[1].softmax(dim=1)).sum(dim=1)
    return 9 * same > 1 - same


def used_parameters(model: FusionClassifier) -> int:
    """Los parámetros, sin los de los tokens de la modalidad que no lee."""
    parts = (
        (model.image_tokens, model.image_embedding),
        (model.sound_tokens, model.sound_embedding),
    )
    unused = [p for sees, p in zip(model.encoder.variant.sees, parts, strict=True) if not sees]
    return n_parameters(model) - sum(n_parameters(part) for pair in unused for part in pair)
