"""La escalera de GPT-2 a hoy: bits por carácter, parámetros y caché de cada peldaño.

`python -m benchmarks bloque_actual --escribir` entrena todos los peldaños con los mismos tokens y
pasos; los expertos, además, con cada manera de repartir el trabajo; y, con un ritmo de más, el
peldaño que norma consultas y claves y el que no.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from statistics import mean

import torch
from torch import Tensor

from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.text.modern.recipe import (
    EXPERTS,
    LADDER,
    Recipe,
    bits_of,
    experts_in_use,
    facts,
    shared_tokenizer,
    train,
)
from tfcourse.tokenizers.base import Tokenizer

NAME = "bloque_actual"
TEST_CHARACTERS, READ_CHARACTERS = 25_000, 600_000
SHORT = 20  # pasos: lo bastante barato para volver a medirlo en una prueba
FASTER = 8.0  # veces el ritmo de la receta
HOT = {
    name: replace(LADDER[name], muon_lr=FASTER * LADDER[name].muon_lr,
                  adam_lr=FASTER * LADDER[name].adam_lr)
    for name in ("GQA", "QK-norm (Qwen3)")
}  # fmt: skip
PARTS: dict[str, dict[str, Recipe]] = {
    "escalera": LADDER,
    "reparto": {name: recipe for name, recipe in EXPERTS.items() if name != "pérdida"},
    "ritmo": HOT,
    "corta": {"SwiGLU (Llama)": replace(LADDER["SwiGLU (Llama)"], steps=SHORT)},
}


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "test_characters": TEST_CHARACTERS,
        "read_characters": READ_CHARACTERS,
        "parts": {
            part: {name: asdict(recipe) for name, recipe in recipes.items()}
            for part, recipes in PARTS.items()
        },
    }


@cache
def prepared() -> tuple[Tokenizer, Tensor, str]:
    """El tokenizador, el texto de entrenar en números y el reservado."""
    corpus = spanish_corpus(TEST_CHARACTERS)
    tokenizer = shared_tokenizer(corpus.train)
    return tokenizer, torch.tensor(tokenizer.encode(corpus.train[:READ_CHARACTERS])), corpus.test


def run(part: str, name: str, seed: int) -> dict:
    """Entrena un peldaño y lo mide."""
    tokenizer, ids, held_out = prepared()
    recipe = PARTS[part][name]
    row = {"part": part, "name": name, "seed": seed} | facts(recipe, len(tokenizer))
    row |= {"steps": recipe.steps, "tokens": recipe.steps * recipe.batch_size * recipe.length}
    try:
        model = train(recipe, seed, ids=ids, n_tokens=len(tokenizer)).model
    except FloatingPointError:
        return row | {"bits": None, "in_use": None}
    held = torch.tensor(tokenizer.encode(held_out))
    used = [round(n, 3) for n in experts_in_use(model, held)] or None
    return row | {"bits": bits_of(model, tokenizer, held_out), "in_use": used}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por peldaño y semilla."""
    for seed in seeds:
        for part, recipes in PARTS.items():
            for name in recipes:
                yield run(part, name, seed)


def averages(rows: list[dict], part: str = "escalera") -> dict[str, float]:
    """Bits de cada peldaño, en media de las semillas."""
    names = dict.fromkeys(row["name"] for row in rows if row["part"] == part)
    return {
        name: mean(r["bits"] for r in rows if (r["part"], r["name"]) == (part, name))
        for name in names
    }
