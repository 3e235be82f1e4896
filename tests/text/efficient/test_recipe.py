"""El buscador de agujas: se construye, aprende un poco y sus aciertos se cuentan bien."""

import torch

from tfcourse.datasets.puzzles.needles import Needles
from tfcourse.text.efficient.recipe import (
    Recipe,
    accuracy,
    accuracy_between,
    batches,
    build,
    evaluation_needles,
    hits,
    majority,
    train,
)
from tfcourse.training.budget import Steps


def test_it_trains_with_any_kernel_and_repeats():
    recipe = Recipe("ventana", length=64, budget=8)
    first, again = (train(recipe, 3, Steps(3)) for _ in range(2))
    assert first.history.loss == again.history.loss and len(first.history.loss) == 3
    assert not first.model.training
    assert next(batches(recipe, 3)).kinds.shape == (4, 64)
    assert len(build(Recipe(length=64, n_layers=3)).blocks) == 3


def test_hits_are_counted_by_distance():
    none = torch.zeros(1, 4, dtype=torch.long)
    needles = Needles(
        none, none, none, torch.tensor([[1, 32, 33, 97]]), torch.tensor([[5, 5, 5, 1]])
    )
    right = torch.tensor([[True, False, False, True]])
    assert accuracy(right, needles) == (0.5, 0.5, 1.0)
    assert accuracy_between(right, needles, (0, 1, 64, 128)) == [1.0, 0.0, 1.0]
    assert majority(needles) == 0.75


def test_the_evaluation_is_always_the_same():
    first, again = evaluation_needles(64), evaluation_needles(64)
    assert all(a.equal(b) for a, b in zip(first, again, strict=True))
    model = build(Recipe(length=64)).eval()
    assert hits(model, first).shape == first.answers.shape
