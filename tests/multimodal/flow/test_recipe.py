"""La receta de los dibujos: los lotes, lo que se entrena y lo que dice su ficha."""

import json
from dataclasses import asdict, replace

import pytest
import torch

from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.multimodal.flow.metrics import agreement
from tfcourse.multimodal.flow.recipe import (
    N_DIGITS,
    Recipe,
    asked,
    batches,
    build,
    draw,
    judge,
    known,
    load,
    to_pixels,
    to_signed,
    train,
)
from tfcourse.training.budget import Steps
from tfcourse.weights.shipped import weights_card

SMALL = Recipe(batch_size=8, options={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16})


def weights(seed):
    """Los pesos que deja un entrenamiento muy corto, en una fila."""
    trained = train(SMALL, seed, Steps(3))
    return torch.cat([value.flatten() for value in trained.model.state_dict().values()])


def test_the_budget_is_obeyed_and_the_model_moves():
    done = train(SMALL, 0, Steps(2))
    assert len(done.history.loss) == 2 and not done.model.training
    assert done.model.head.output.weight.any() and not build(SMALL).head.output.weight.any()


def test_the_same_seed_gives_the_same_and_another_does_not():
    assert weights(0).equal(weights(0))
    assert not weights(0).equal(weights(1))


def test_a_batch_is_a_journey_with_its_class_sometimes_silent():
    stream, said = batches(replace(SMALL, batch_size=64, drop=0.25), 0), []
    for _ in range(40):
        images, noise, times, classes = next(stream)
        assert images.min() >= -1 and images.max() == 1 and noise.shape == images.shape
        assert times.min() >= 0 and times.max() < 1
        said.append(classes)
    assert float((torch.cat(said) == N_DIGITS).float().mean()) == pytest.approx(0.25, abs=0.04)
    never = torch.cat([next(batches(replace(SMALL, drop=0.0), seed)).classes for seed in range(9)])
    assert never.max() < N_DIGITS


def test_the_class_is_that_of_its_image():
    digits = split_digits()[0]
    images, _, _, classes = next(batches(replace(SMALL, drop=0.0), 0))
    for image, label in zip(to_pixels(images), classes, strict=True):
        same = (digits.images == image).flatten(1).all(1)
        assert label in digits.labels[same]


def test_few_of_each_are_few_and_from_the_training_side():
    few = known(replace(SMALL, per_class=3))
    assert few.labels.bincount().tolist() == [3] * N_DIGITS
    assert (
        torch.cdist(few.images.flatten(1), split_digits()[0].images.flatten(1)).min(1).values.max()
        < 1e-3
    )
    assert len(known(SMALL)) == len(split_digits()[0])


def test_pixels_go_and_come_back():
    pixels = torch.rand(3, 1, 2, 2)
    torch.testing.assert_close(to_pixels(to_signed(pixels)), pixels)
    assert to_pixels(torch.tensor([-3.0, 3.0])).tolist() == [0, 1]


def test_other_images_can_be_learnt():
    flat = LabelledImages(torch.ones(4, 1, 8, 8), torch.tensor([0, 1, 0, 1]))
    done = train(SMALL, 0, Steps(1), data=flat, n_classes=2)
    assert done.model.config.n_classes == 2
    drawn = draw(done.model, torch.tensor([0, 1, 2]), n_steps=2, guidance=0.0)
    assert drawn.images.shape == (3, 1, 8, 8) and drawn.labels.tolist() == [0, 1, 2]
    assert drawn.images.min() >= 0 and drawn.images.max() <= 1


def test_the_card_is_that_of_the_recipe_and_it_draws_what_is_asked():
    card = weights_card("dit_cifras")
    assert card.recipe == json.loads(json.dumps(asdict(Recipe())))
    assert card.quality["acuerdo"] > card.quality["acuerdo sin entrenar"] + 0.5
    assert card.quality["fréchet"] < card.quality["fréchet sin entrenar"] / 5
    drawn = draw(load("dit_cifras"), asked(4))
    assert agreement(judge(), drawn) > 0.7
    with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
        load("otros")
