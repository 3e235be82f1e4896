"""La receta de abajo arriba: se repite, numera las imágenes, y los pesos cumplen su ficha."""

import json

import pytest
import torch

from tfcourse.datasets.scenes.figures import CROWD, reserved_figures
from tfcourse.training import History
from tfcourse.training.budget import Steps
from tfcourse.training.recipe import Trained
from tfcourse.vision.pose.bottom_up import WEIGHTS, Recipe, bottom_up, build, load, train
from tfcourse.vision.pose.metrics import keypoint_precision
from tfcourse.weights.shipped import weights_card

NAME = "pose_abajo_arriba"


def test_same_seed_same_model():
    one, other = (train(Recipe(), 0, Steps(1)).model for _ in range(2))
    assert torch.equal(one.head.weight, other.head.weight) and not one.training


def test_bottom_up_numbers_the_images_across_parts():
    figures = reserved_figures(5, CROWD)
    model = load(NAME).model
    whole, parts = bottom_up(model, figures), bottom_up(model, figures, batch_size=2)
    assert torch.equal(whole.owners, parts.owners) and whole.owners.max() <= 4
    torch.testing.assert_close(whole.keypoints, parts.keypoints, atol=1e-3, rtol=0)


def test_the_card_is_of_this_recipe(monkeypatch):
    """Lo que no pide entrenar, y el nombre de lo que se mide."""
    card, shipped, recipe = weights_card(NAME), WEIGHTS[NAME], Recipe()
    model = build(recipe).eval()
    assert shipped.config(model) == card.config
    noted = shipped.recipe(Trained(model, recipe, History()))
    assert json.loads(json.dumps(noted)) == card.recipe
    assert (shipped.seed, shipped.data) == (card.seed, card.data)
    monkeypatch.setattr("tfcourse.vision.pose.recipe.SHIPPED_TEST", 3)
    assert list(shipped.score(model) | shipped.blind()) == list(card.quality)


def test_an_unknown_name_is_told():
    with pytest.raises(ValueError, match=f"aquí no hay pesos «otro»: usa {NAME}"):
        load("otro")


@pytest.mark.lento
def test_shipped_weights_keep_their_word():
    """Con menos imágenes que las de la ficha, la medida se mueve un poco."""
    card, figures = weights_card(NAME), reserved_figures(150, CROWD)
    measured = keypoint_precision(bottom_up(load(NAME).model, figures), figures)["AP"]
    assert measured == pytest.approx(card.quality["AP"], abs=0.06)
    assert card.quality["AP"] > 0.2 > card.quality["AP sin entrenar"] + 0.1
