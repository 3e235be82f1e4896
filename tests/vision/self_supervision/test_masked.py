"""La receta de MAE: los lotes, lo que se entrena y lo que se pinta."""

from dataclasses import replace

import pytest
import torch

from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.training.budget import Steps
from tfcourse.vision.self_supervision.losses import patch_targets
from tfcourse.vision.self_supervision.masked import Recipe, batches, build, load, paint, train

SMALL = Recipe(
    batch_size=8,
    options={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16, "decoder_width": 8},
)


def weights(seed):
    """Los pesos que deja un entrenamiento muy corto, en una fila."""
    trained = train(SMALL, seed, Steps(2))
    return torch.cat([value.flatten() for value in trained.model.state_dict().values()])


def test_the_same_seed_gives_the_same_and_another_does_not():
    assert weights(0).equal(weights(0))
    assert not weights(0).equal(weights(1))


def test_a_batch_has_pictures_and_what_is_hidden():
    batch = next(batches(replace(SMALL, share=0.75, moves=None), 0))
    assert batch.images.shape == (8, 1, 8, 8) and batch.kept.shape == (8, 4)
    assert batch.hidden.sum(1).tolist() == [12] * 8
    known = split_digits()[0].images
    assert all((known == image).flatten(1).all(1).any() for image in batch.images)
    again = next(batches(replace(SMALL, share=0.75, moves=None), 0))
    assert again.hidden.equal(batch.hidden)


def test_other_pictures_can_be_learnt():
    done = train(SMALL, 0, Steps(1), images=torch.rand(5, 1, 8, 8))
    assert len(done.history.loss) == 1 and not done.model.training


def test_what_is_seen_is_left_as_it_was():
    torch.manual_seed(0)
    model, images = build(SMALL), torch.rand(3, 1, 8, 8)
    found, hidden = paint(model, images, 0.5, seed=1)
    assert found.shape == images.shape and hidden.sum(1).tolist() == [8, 8, 8]
    before, after = (patch_targets(some, 2, normed=False) for some in (images, found))
    assert after[~hidden].equal(before[~hidden]) and not after[hidden].equal(before[hidden])
    assert paint(model, images, 0.5, seed=1)[0].equal(found)
    assert not paint(model, images, 0.5, seed=2)[1].equal(hidden)


def test_other_weights_are_not_here():
    with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
        load("otros")
