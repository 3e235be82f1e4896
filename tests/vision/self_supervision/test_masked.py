"""La receta de MAE: los lotes, lo que se entrena y lo que se pinta."""

import json
from dataclasses import asdict, replace

import pytest
import torch
import torch.nn.functional as F

from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.training.budget import Steps
from tfcourse.vision.self_supervision.few_labels import features_of, few_label_score
from tfcourse.vision.self_supervision.losses import patch_targets
from tfcourse.vision.self_supervision.masked import Recipe, batches, build, load, paint, train
from tfcourse.weights.shipped import weights_card

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


def test_the_card_is_that_of_the_recipe_and_it_knows_something():
    card = weights_card("mae_cifras")
    assert card.recipe == json.loads(json.dumps(asdict(Recipe())))
    for name in ("acierto de los vecinos", "acierto de la sonda"):
        assert card.quality[name] > card.quality[f"{name}, sin entrenar"] + 0.2
    found = few_label_score(features_of(load("mae_cifras").encoder))
    for name, value in found.items():
        assert value == pytest.approx(card.quality[name], abs=0.02)
    images = split_digits()[1].images[:100]
    model = load("mae_cifras")
    painted, hidden = paint(model, images, 0.6)
    patches, wanted = (patch_targets(some, 2, normed=False)[hidden] for some in (painted, images))
    usual = patch_targets(split_digits()[0].images, 2, normed=False).mean(0)
    blind = usual.expand(100, -1, -1)[hidden]
    assert F.mse_loss(patches, wanted) < 0.7 * F.mse_loss(blind, wanted)


def test_other_weights_are_not_here():
    with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
        load("otros")
