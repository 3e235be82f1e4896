"""La receta de la fusión: la misma semilla da el mismo modelo, y el presupuesto manda."""

import torch

from tfcourse.multimodal.fusion.recipe import Recipe, build, train
from tfcourse.training.budget import Steps

QUICK = Recipe(steps=2, batch_size=4, modality_dropout=0.5)


def test_same_seed_same_model():
    first, again, other = (train(QUICK, seed, variant="cruzada") for seed in (0, 0, 1))
    assert len(first.history.loss) == 2 and not first.model.training
    assert first.history.loss == again.history.loss and first.recipe is QUICK
    assert torch.equal(first.model.head.weight, again.model.head.weight)
    assert not torch.equal(first.model.head.weight, other.model.head.weight)


def test_the_budget_is_what_is_trained():
    assert len(train(QUICK, 0, Steps(1), variant="suma temprana").history.loss) == 1


def test_the_sizes_are_the_ones_asked_for():
    assert build(QUICK, "cruzada", d_model=24, d_hidden=24).config.d_model == 24
