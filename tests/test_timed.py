"""Entrenar por tiempo, recorrer un texto por ventanas y medirlo en bits por carácter."""

import math
import time

import pytest
import torch
from torch import nn

from tfcourse import gpt_recipes
from tfcourse.datasets.windows import random_windows, sliding_windows
from tfcourse.gpt_recipes import ABLATIONS, NANOGPT, OURS, GPTRecipe, train_recipe
from tfcourse.metrics import window_bits
from tfcourse.muon import Muon
from tfcourse.timed import train_either, train_for, warmup_cosine


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(5.0))


def square(model, batch):
    return (model.weight - batch[0]).square().mean()


def endless(value=1.0):
    while True:
        yield (torch.tensor([value]),)


def test_it_stops_on_time_and_the_schedule_is_finished():
    model, seen = Line(), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    started = time.process_time()
    history = train_for(
        0.3, model, endless(), square, optimizer=optimizer,
        schedule=lambda done: seen.append(done) or 1.0 - done,
    )  # fmt: skip
    assert 0.3 <= history.seconds <= time.process_time() - started < 1.0
    assert seen == sorted(seen) and 0 <= seen[0] < 0.1 and 0.9 < seen[-1] < 1
    assert history.learning_rate == pytest.approx([0.05 * (1 - done) for done in seen])
    assert len(history.loss) == len(seen) and history.loss[-1] < 1e-3 and not model.training


def test_the_cosine_warms_up_and_comes_down():
    factor = warmup_cosine(warmup=0.1, floor=0.2)
    assert factor(0.05) == pytest.approx(0.5) and factor(0.1) == pytest.approx(1)
    assert factor(0.55) == pytest.approx(0.6) and factor(1.0) == pytest.approx(0.2)
    assert factor(0.0) > 0


def test_errors_of_the_clock():
    model = Line()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    with pytest.raises(ValueError, match="cpu_seconds=0: hace falta algo de tiempo"):
        train_for(0, model, endless(), square, optimizer=optimizer)
    with pytest.raises(ValueError, match="se acabaron los lotes antes que el tiempo"):
        train_for(5, model, [(torch.tensor(1.0),)], square, optimizer=optimizer)
    with pytest.raises(FloatingPointError, match="la pérdida vale nan en el paso 1"):
        train_for(5, model, endless(math.nan), square, optimizer=optimizer)


@pytest.mark.parametrize("stride", [1, 3, 5])
@pytest.mark.parametrize("size", [6, 17, 40])
def test_every_token_but_the_first_counts_once_with_context(size, stride):
    inputs, targets, counted = sliding_windows(torch.arange(size), length=5, stride=stride)
    assert sorted(targets[counted].tolist()) == list(range(1, size))
    assert torch.equal(inputs + 1, targets)
    for row, fresh in zip(inputs[1:], counted[1:], strict=True):
        assert int(fresh.nonzero()[0]) >= 5 - stride or int(row[-1]) == size - 2


def test_random_windows_are_pieces_of_the_text_and_repeat_with_the_seed():
    ids = torch.arange(50)
    first, again, other = (
        next(random_windows(ids, batch_size=64, length=7, seed=seed))[0] for seed in (0, 0, 1)
    )
    assert torch.equal(first, again) and not torch.equal(first, other)
    assert first.shape == (64, 8) and bool((first.diff(dim=1) == 1).all())
    assert int(first.min()) == 0 and int(first.max()) == 49
    with pytest.raises(ValueError, match="tiene 7 tokens y una ventana necesita 8"):
        next(random_windows(ids[:7], batch_size=1, length=7, seed=0))
    with pytest.raises(ValueError, match="stride=6"):
        sliding_windows(ids, length=5, stride=6)


class Uniform(nn.Module):
    def forward(self, tokens):
        return torch.zeros(*tokens.shape, 8)


def test_bits_are_shared_among_the_characters():
    ids = torch.randint(8, (101,), generator=torch.Generator().manual_seed(0))
    options = {"length": 10, "batch_size": 3}
    assert window_bits(Uniform(), ids, 100, **options) == pytest.approx(3.0)
    # Si cada token escribe dos caracteres, a cada carácter le toca la mitad.
    assert window_bits(Uniform(), ids, 200, stride=10, **options) == pytest.approx(1.5)
    with pytest.raises(ValueError, match="n_characters=0"):
        window_bits(Uniform(), ids, 0, length=10)


def test_each_ablation_removes_one_thing():
    assert GPTRecipe() == NANOGPT and NANOGPT.batch_size == 12 and NANOGPT.adam_lr == 1e-3
    for name, recipe in ABLATIONS.items():
        changed = {key for key, value in vars(recipe).items() if value != vars(OURS)[key]}
        # Al quitar Muon, AdamW lleva el ritmo que mejor le va.
        assert len(changed) == (2 if name == "sin Muon" else 1), name


def test_the_recipe_is_built_trained_and_measured(monkeypatch):
    monkeypatch.setattr(gpt_recipes, "BPE_CHARACTERS", 3_000)
    corpus = gpt_recipes.spanish_corpus(2_000)
    assert len(corpus.test) == 2_000 and corpus.test[:200] not in corpus.train
    for recipe in (NANOGPT, GPTRecipe(200, "rotatorias", "cuadratica", 0.02, 5e-3, 4, 16)):
        trained = train_recipe(recipe, corpus.train[:6_000], 1.0, seed=0)
        assert trained.tokenizer.decode(trained.encode("la casa")) == "la casa"
        assert 2.0 < trained.bits(corpus.test) < 7.5
        assert isinstance(gpt_recipes.build_optimizer(trained.model, recipe), Muon) == (
            recipe.muon_lr is not None
        )
    by_steps = train_recipe(NANOGPT, corpus.train[:6_000], steps=3)
    assert len(by_steps.history.loss) == 3
    assert by_steps.history.learning_rate[-1] < NANOGPT.adam_lr  # la bajada se completa
    with pytest.raises(ValueError, match="uno de los dos"):
        train_recipe(NANOGPT, corpus.train[:6_000], 1.0, steps=3)
    with pytest.raises(ValueError, match="deben ser positivos"):
        GPTRecipe(adam_lr=0)


def test_one_of_the_two_ways_to_say_how_long():
    model = Line()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    by_steps = train_either(model, endless(), square, optimizer=optimizer, steps=20, warmup=0.5)
    assert len(by_steps.loss) == 20
    assert by_steps.learning_rate[9] == pytest.approx(0.05)  # a la mitad, la cima
    assert by_steps.learning_rate[4] < 0.05 > by_steps.learning_rate[-1]
    optimizer.param_groups[0]["lr"] = 0.05
    by_time = train_either(model, endless(), square, optimizer=optimizer, cpu_seconds=0.1)
    assert by_time.seconds >= 0.1 and by_time.learning_rate[-1] < 0.01
    for options in ({}, {"steps": 1, "cpu_seconds": 1.0}):
        with pytest.raises(ValueError, match="steps o cpu_seconds, uno de los dos"):
            train_either(model, endless(), square, optimizer=optimizer, **options)
