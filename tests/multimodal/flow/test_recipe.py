"""La receta de «Generar imágenes»."""

import pytest
import torch

from tfcourse.multimodal.flow.recipe import Recipe, build, load, train
from tfcourse.training.budget import Steps
from tfcourse.training.loop import seed_everything


def weights(seed, steps=3):
    """Los pesos que deja un entrenamiento muy corto, en una fila."""
    trained = train(Recipe(), seed, Steps(steps))
    return torch.cat([value.flatten() for value in trained.model.state_dict().values()])


def test_the_budget_is_obeyed_and_the_model_moves():
    done = train(Recipe(), 0, Steps(1))
    seed_everything(0)
    start = build(Recipe()).state_dict()
    assert len(done.history.loss) == 1 and not done.model.training
    assert any(not value.equal(start[key]) for key, value in done.model.state_dict().items())


def test_the_same_seed_gives_the_same_and_another_does_not():
    assert weights(0).equal(weights(0))
    assert not weights(0).equal(weights(1))


def test_it_learns():
    losses = train(Recipe(), 0).history.loss
    assert losses[-1] < losses[0] / 2


def test_weights_that_do_not_come_with_the_course_are_told():
    with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
        load("otros")
