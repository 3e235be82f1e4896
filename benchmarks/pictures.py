"""Dibujos y nombres, con cinco semillas: MMBT contra cada modalidad, y lo que recupera CLIP.

Se vuelve a medir con `python -m benchmarks dibujos --semillas 5 --escribir`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.datasets.pictures.named_pictures import MOVES, TINT, encode_pictures
from tfcourse.datasets.pictures.openmoji import Pictures, split_pictures
from tfcourse.datasets.text.article_topics import plain_text
from tfcourse.models.mmbt import SIGHTS
from tfcourse.multimodal.fusion.decoding import class_prior, late_fusion
from tfcourse.multimodal.pictures import clip, mmbt, pairs
from tfcourse.multimodal.pictures.clip import TEMPLATES, WAYS, zero_shot_accuracy
from tfcourse.multimodal.pictures.retrieval import pair_ranks
from tfcourse.text.bert.recipe import load as load_bert

NAME = "dibujos"
LATE = "fusión tardía"
MAJORITY = "el grupo más frecuente"
# Las palabras que no dicen de qué es el dibujo no cuentan como conocidas ni como nuevas.
EMPTY_WORDS = frozenset(
    ("a", "con", "de", "del", "e", "el", "en", "la", "las", "lo", "los", "o", "para", "por", "sin")
    + ("un", "una", "y")
)


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "mmbt": asdict(mmbt.Recipe()),
        "clip": asdict(clip.Recipe()),
        "ways": {name: list(ways) for name, ways in WAYS.items()},
        "templates": list(TEMPLATES),
        "n_test": [pairs.N_TEST, clip.N_TEST],
        "moves": asdict(MOVES) | {"tint": TINT},
        "sights": list(SIGHTS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Por semilla: las filas de MMBT, con su base y su fusión tardía, y la de CLIP."""
    for seed in seeds:
        yield from measure_mmbt(seed)
        yield measure_clip(seed)


def measure_mmbt(seed: int) -> Iterator[dict]:
    """Qué parte de los grupos acierta cada uno, en dibujos de familias no vistas."""
    train, test = pairs.split_named(seed)
    prior = class_prior(train.groups, 1 + int(train.groups.max()))
    answers = {MAJORITY: prior.expand(len(test), -1)}
    for sight in SIGHTS:
        model = mmbt.train(mmbt.Recipe(), seed, pairs=train, sight=sight).model
        answers[sight] = mmbt.group_logits(model, test)
    answers[LATE] = late_fusion(answers["solo imagen"], answers["solo texto"], prior)
    for name, logits in answers.items():
        right = (logits.argmax(dim=1) == test.groups).float().mean()
        yield {"task": "mmbt", "model": name, "seed": seed, "accuracy": float(right)}


def measure_clip(seed: int) -> dict:
    """Recuperación en pares no vistos: todos, y según se conozcan las palabras del nombre."""
    _, tokenizer = load_bert("bert_espanol")
    train, test = split_pictures(clip.N_TEST, seed)
    model = clip.train(clip.Recipe(), seed, pairs=encode_pictures(train, tokenizer)).model
    held = encode_pictures(test, tokenizer)
    row = {"task": "clip", "model": "CLIP", "seed": seed} | clip.retrieval(model, held)
    row |= {
        "sin ejemplos, nombre": zero_shot_accuracy(model, tokenizer, held, [[n] for n in WAYS]),
        "sin ejemplos, palabras": zero_shot_accuracy(model, tokenizer, held),
    }
    return row | recall_by_words(clip.pair_table(model, held), known_words(train, test))


def known_words(train: Pictures, test: Pictures) -> Float[Tensor, " N"]:
    """Qué parte de las palabras con contenido de cada nombre salió en algún nombre de entrenar."""
    seen = {word for name in train.names for word in plain_text(name).split()}
    parts = []
    for name in test.names:
        words = [word for word in plain_text(name).split() if word not in EMPTY_WORDS]
        parts.append(sum(word in seen for word in words) / max(1, len(words)))
    return torch.tensor(parts)


def word_groups(known: Float[Tensor, " N"]) -> dict[str, Bool[Tensor, " N"]]:
    """Los nombres, en tres: con todas sus palabras conocidas, con algunas o con ninguna."""
    return {"todas": known == 1, "algunas": (known > 0) & (known < 1), "ninguna": known == 0}


def recall_by_words(
    table: Float[Tensor, "N N"], known: Float[Tensor, " N"], k: int = 5
) -> dict[str, float]:
    """De cada tercio, cuántos son y qué parte encuentra su dibujo entre los `k` primeros."""
    found = (pair_ranks(table) <= k).float()
    row = {}
    for name, chosen in word_groups(known).items():
        row |= {f"{name}, cuántos": int(chosen.sum()), f"{name}, {k}": float(found[chosen].mean())}
    return row
