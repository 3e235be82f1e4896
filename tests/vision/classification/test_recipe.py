"""Recetas de imágenes: construyen lo que dicen y se repiten."""

from dataclasses import asdict, replace

import pytest
import torch

from tfcourse.datasets.pictures.digits import few_per_class, split_digits
from tfcourse.training.budget import CpuSeconds
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.classification.recipe import (
    CONTESTANTS,
    DRAWN,
    Recipe,
    batches,
    build,
    load,
    train,
)
from tfcourse.weights.shipped import weights_card


def test_contestants_are_what_they_say():
    networks = {name: build(recipe) for name, recipe in CONTESTANTS.items()}
    assert {name: type(network).__name__ for name, network in networks.items()} == {
        "ViT": "ViT", "ViT con tallo": "ViT", "CNN": "SmallCnn"
    }  # fmt: skip
    assert networks["ViT con tallo"].config.stem == "convolución"
    assert build(Recipe(), patch_size=4).config.grid == (2, 2)
    with pytest.raises(ValueError, match="no hay ninguna red 'RNN': usa ViT, CNN"):
        build(Recipe(network="RNN"))


@pytest.mark.parametrize("name", CONTESTANTS)
def test_training_repeats_and_learns(name):
    data, _ = split_digits()
    few, recipe = few_per_class(data, 4), replace(CONTESTANTS[name], steps=25, batch_size=20)
    first, second = (train(recipe, 5, data=few).history.loss for _ in range(2))
    assert first == second and first[-1] < first[0] and len(first) == 25


def test_it_can_be_trained_for_some_time(fake_clock):
    data, _ = split_digits()
    done = train(Recipe(), 0, CpuSeconds(2 * fake_clock.tick), data=few_per_class(data, 2))
    assert done.history.loss and not done.model.training


def test_a_batch_has_no_more_images_than_there_are():
    data, _ = split_digits()
    images, labels = next(batches(Recipe(), 0, few_per_class(data, 2)))
    assert len(images) == len(labels) == 20


def test_the_shipped_model_is_what_its_card_says():
    card, model = weights_card("vit_cifras"), load("vit_cifras")
    assert card.config == asdict(build(DRAWN).config) and card.recipe == asdict(DRAWN)
    test = split_digits()[1]
    assert image_accuracy(model, test) == pytest.approx(card.quality["acierto"], abs=0.003)
    assert card.quality["acierto"] > 0.97 > 0.15 > card.quality["acierto de la más frecuente"]
    with pytest.raises(ValueError, match="aquí no hay pesos «vit»: usa vit_cifras"):
        load("vit")


@torch.no_grad()
def test_the_shipped_model_reads_a_thick_stroke():
    """Una barra gruesa, hecha a mano, es un 1; acostada, no."""
    upright = torch.zeros(1, 1, 8, 8)
    upright[..., 1:7, 3:5] = 1
    answers = load("vit_cifras")(torch.cat([upright, upright.mT])).argmax(-1).tolist()
    assert answers[0] == 1 and answers[1] != 1
