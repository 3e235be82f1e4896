"""Bits por carácter de dos recetas de GPT a igual tiempo de procesador, y qué puso cada cambio.

`python -m benchmarks gpt_corpus --escribir` entrena la receta de nanoGPT para procesador, la del
curso, la del curso sin cada uno de sus cambios y la red recurrente, un rato cada una, con un hilo.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from statistics import mean

import torch
from torch import Tensor

from tfcourse.datasets.text.articles import Corpus, spanish_corpus
from tfcourse.datasets.text.streams import SPANISH_CHARACTERS, stream_windows
from tfcourse.losses import CarriedStateLoss
from tfcourse.metrics import bits_per_character, text_log_probabilities
from tfcourse.models.language import VARIANTS as RNN_SIZES
from tfcourse.models.language import LanguageConfig, RecurrentLM
from tfcourse.plots import spanish_number
from tfcourse.text.generation.recipe import (
    ABLATIONS,
    NANOGPT,
    OURS,
    Recipe,
    train,
)
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, CpuSeconds
from tfcourse.training.schedules import warmup_cosine

NAME = "gpt_corpus"
SECONDS, TEST_CHARACTERS = 100.0, 100_000
BASELINE, CHOSEN, RECURRENT = "nanoGPT (CPU)", "la del curso", "red recurrente"
RNN_BATCH, RNN_WINDOW, RNN_RATE = 32, 24, 5e-3
RECIPES: dict[str, Recipe] = {BASELINE: NANOGPT, CHOSEN: OURS, **ABLATIONS}


def settings() -> dict:
    """Todo lo que define la comparación: si cambia algo, la tabla guardada deja de valer."""
    return {
        "seconds": SECONDS,
        "test_characters": TEST_CHARACTERS,
        "threads": 1,
        "recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()},
        "recurrent": {
            **RNN_SIZES["aula"], "batch_size": RNN_BATCH, "window": RNN_WINDOW, "lr": RNN_RATE
        },
    }  # fmt: skip


def run_recipe(name: str, corpus: Corpus, seconds: float, seed: int) -> dict:
    """Entrena una receta y la mide en el texto reservado."""
    started = time.process_time()
    trained = train(RECIPES[name], seed, CpuSeconds(seconds), text=corpus.train)
    spent = time.process_time() - started
    steps = len(trained.history.loss)
    recipe = RECIPES[name]
    row = {"recipe": name, "seed": seed, "bits": trained.bits(corpus.test)}
    tokens = steps * recipe.batch_size * recipe.length
    return row | {"steps": steps, "tokens": tokens, "seconds": round(spent, 1)}


def character_ids(corpus: Corpus) -> list[Tensor]:
    """Los caracteres de las dos partes del texto, en números: lo que lee la red recurrente."""
    characters = Vocabulary(SPANISH_CHARACTERS)
    return [torch.tensor(characters.encode(text)) for text in vars(corpus).values()]


def fit_recurrent(kept: Tensor, seed: int, budget: Budget) -> tuple[RecurrentLM, int]:
    """La red recurrente, con su lectura seguida y su receta, y los pasos que ha dado."""
    seed_everything(seed)
    model = RecurrentLM(LanguageConfig(len(Vocabulary(SPANISH_CHARACTERS)), **RNN_SIZES["aula"]))
    history = fit(
        model,
        stream_windows(kept, batch_size=RNN_BATCH, window=RNN_WINDOW),
        CarriedStateLoss(),
        budget=budget,
        optimizer=torch.optim.AdamW(model.parameters(), lr=RNN_RATE, weight_decay=0.0),
        schedule=warmup_cosine(budget, floor=0.0),
    )
    return model, len(history.loss)


def recurrent_bits(model: RecurrentLM, held_out: Tensor) -> float:
    """Bits por carácter de la red recurrente en el texto reservado."""
    windows = stream_windows(held_out, batch_size=64, window=256, repeat=False)
    return bits_per_character(text_log_probabilities(model, windows))


def run_recurrent(corpus: Corpus, seconds: float, seed: int) -> dict:
    """La red recurrente durante el mismo tiempo, contado lo que tarda en leer el texto."""
    started = time.process_time()
    kept, held_out = character_ids(corpus)
    left = seconds - (time.process_time() - started)
    model, steps = fit_recurrent(kept, seed, CpuSeconds(left))
    spent = time.process_time() - started
    row = {"recipe": RECURRENT, "seed": seed, "bits": recurrent_bits(model, held_out)}
    tokens = steps * RNN_BATCH * RNN_WINDOW
    return row | {"steps": steps, "tokens": tokens, "seconds": round(spent, 1)}


def measure(seeds: Sequence[int], seconds: float = SECONDS) -> Iterator[dict]:
    """Una fila por receta y semilla."""
    corpus = spanish_corpus(TEST_CHARACTERS)
    for seed in seeds:
        for name in RECIPES:
            yield run_recipe(name, corpus, seconds, seed)
        yield run_recurrent(corpus, seconds, seed)


def averages(rows: list[dict]) -> dict[str, float]:
    """Bits de cada receta, en media sobre las semillas."""
    names = dict.fromkeys(row["recipe"] for row in rows)
    return {name: mean(r["bits"] for r in rows if r["recipe"] == name) for name in names}


def ratio(rows: list[dict]) -> float:
    """Bits de la receta del curso entre los de la de nanoGPT."""
    bits = averages(rows)
    return bits[CHOSEN] / bits[BASELINE]


def markdown(number: Callable[[float], str], rows: list[dict]) -> str:
    """La tabla para el libro."""
    bits, seeds = averages(rows), len({row["seed"] for row in rows})
    lines = [
        f"Bits por carácter en {spanish_number(TEST_CHARACTERS, 0)} caracteres reservados, tras "
        f"{SECONDS:.0f} segundos de procesador con un hilo; media de las semillas, hasta {seeds} "
        "(y cada una).",
        "",
        "| receta | bits por carácter | pasos | frente a nanoGPT |",
        "|---|---|---|---|",
    ]
    for name, value in bits.items():
        own = [row for row in rows if row["recipe"] == name]
        each = "; ".join(number(row["bits"]) for row in own)
        steps = mean(row["steps"] for row in own)
        against = number(value / bits[BASELINE])
        lines.append(f"| {name} | {number(value)} ({each}) | {steps:.0f} | {against} |")
    return "\n".join(lines)
