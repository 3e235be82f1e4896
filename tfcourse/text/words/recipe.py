"""Cómo se entrenan los tres vectores de palabras: los mismos textos y los mismos pasos."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import torch
from torch import nn

from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.datasets.text.contexts import (
    WordCorpus,
    cooccurrence_batches,
    skipgram_batches,
    word_corpus,
)
from tfcourse.models.fasttext import SubwordSkipGram
from tfcourse.models.glove import GloVe, glove_loss
from tfcourse.models.word2vec import SkipGram, negative_sampling_loss
from tfcourse.profile import by_profile
from tfcourse.text.words.neighbours import WordVectors
from tfcourse.training import Budget, Steps, default_device, fit, seed_everything
from tfcourse.training.recipe import Trained

MIN_COUNT = 5  # una palabra que sale menos no tiene vector


@dataclass(frozen=True)
class Recipe:
    """Qué modelo, de qué tamaño y durante cuántos pasos; el ritmo baja en línea recta hasta cero.

    `window` es a cuántas palabras llega una vecina y `batch_size`, las parejas de un lote.
    """

    kind: str = "word2vec"
    steps: int = by_profile(rapido=400, completo=4_000)
    width: int = by_profile(rapido=64, completo=100)
    window: int = 3
    batch_size: int = 4_096
    lr: float = 0.02


RECIPES = {
    "word2vec": Recipe(),
    "FastText": Recipe("FastText"),
    "GloVe": Recipe("GloVe", batch_size=8_192),
}


@cache
def corpus() -> WordCorpus:
    """Las palabras de los artículos de entrenar que salen bastante."""
    return word_corpus(join_texts(split_articles()[0]), min_count=MIN_COUNT)


def build(recipe: Recipe, words: list[str]) -> nn.Module:
    """El modelo de la receta, para esas palabras."""
    if recipe.kind == "GloVe":
        return GloVe(len(words), recipe.width)
    if recipe.kind == "FastText":
        return SubwordSkipGram(words, recipe.width)
    return SkipGram(len(words), recipe.width)


def batches(recipe: Recipe, seed: int, read: WordCorpus) -> Iterator[tuple]:
    """Lotes sin fin: parejas con su cuenta para GloVe; con sus negativas, para los otros dos."""
    make = cooccurrence_batches if recipe.kind == "GloVe" else skipgram_batches
    return make(read, window=recipe.window, batch_size=recipe.batch_size, seed=seed)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Entrena unos vectores; sin `budget`, los pasos de la receta."""
    seed_everything(seed)
    read, steps = corpus(), recipe.steps
    model = build(recipe, read.words).to(default_device())
    history = fit(
        model,
        batches(recipe, seed, read),
        glove_loss if recipe.kind == "GloVe" else negative_sampling_loss,
        budget=budget or Steps(steps),
        optimizer=torch.optim.Adam(model.parameters(), lr=recipe.lr, fused=True),
        schedule=lambda step: max(0.0, 1 - step / steps),
    )
    return Trained(model, recipe, history)


def table_of(model: nn.Module) -> WordVectors:
    """Los vectores de un modelo, con sus palabras."""
    return WordVectors(corpus().words, model.vectors().cpu())
