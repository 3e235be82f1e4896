"""Recetas de detección: cada peldaño añade una cosa, y los pesos cumplen su ficha."""

from dataclasses import replace

import pytest
import torch

from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.anchored_detr import AnchoredDETR
from tfcourse.models.detr import DETR
from tfcourse.training.budget import CpuSeconds, Steps
from tfcourse.vision.detection import recipe as detection
from tfcourse.vision.detection.losses import softmax_scores
from tfcourse.vision.detection.recipe import (
    ADDITIONS,
    BEST,
    LADDER,
    RECIPES,
    WEIGHTS,
    WITHOUT_SEPARATING,
    Recipe,
    build,
    load,
    train,
)
from tfcourse.weights.shipped import weights_card


def test_each_step_adds_one_thing():
    ladder = list(LADDER.values())
    changes = [
        [name for name in vars(a) if getattr(a, name) != getattr(b, name)]
        for a, b in zip(ladder, ladder[1:], strict=False)
    ]
    assert changes == [[field] for field in ADDITIONS.values()]
    assert list(LADDER) == ["DETR", *(f"+ {name}" for name in ADDITIONS)]
    top = LADDER["+ dos etapas"]
    assert top == Recipe() and replace(RECIPES[WITHOUT_SEPARATING], separated=True) == top


@pytest.mark.parametrize("name", RECIPES)
def test_every_step_builds_its_model(name):
    recipe = RECIPES[name]
    model, loss = build(recipe, 4), recipe.loss
    assert isinstance(model, AnchoredDETR if recipe.anchored else DETR)
    assert loss.auxiliary is recipe.auxiliary
    assert loss.scores is (torch.sigmoid if recipe.yes_or_no else softmax_scores)
    outputs = loss.scores(model(torch.rand(1, 3, 64, 64))[-1].logits)
    assert outputs.shape == (1, 8, 4)  # las mismas clases, con «sin objeto» o sin ella
    for field in list(ADDITIONS.values())[2:] * recipe.anchored:
        assert getattr(model.config, field) is getattr(recipe, field)


def test_the_parameters_of_each_step():
    """Lo que se cuenta en la página: dónde crece el modelo y dónde no."""
    counts = [n_parameters(build(recipe, 4)) for recipe in LADDER.values()]
    added = [after - before for before, after in zip(counts, counts[1:], strict=False)]
    d, heads, layers, queries = 64, 4, 2, 8
    mlp = (2 * d * d + d) + (d * d + d)
    spatial = layers * 4 * (d * d + d)
    gaussian = layers * (d * 2 * heads + 2 * heads + heads)
    assert added == [
        0, mlp + queries * (4 - d), 0, -(d + 1), spatial, 0, gaussian, -queries * 4
    ]  # fmt: skip


def test_same_seed_same_detector():
    first, again = (train(BEST, 0, Steps(2), batch_size=2) for _ in range(2))
    assert first.history.loss == again.history.loss


def test_time_or_steps(fake_clock):
    done = train(BEST, 0, CpuSeconds(2 * fake_clock.tick), batch_size=2)
    assert done.history.loss and not done.model.training
    assert len(train(BEST, 0, Steps(1), tier="cifras", batch_size=2).history.loss) == 1


def test_improvements_need_anchors():
    with pytest.raises(ValueError, match="refined, .*two_stage: sin anclas no se puede"):
        Recipe(anchored=False)


BARS = {"detr_figuras": 0.55, "anclas_figuras": 0.85, "detr_cifras": 0.5}


@pytest.mark.lento
@pytest.mark.parametrize("name", WEIGHTS)
def test_shipped_weights_keep_their_word(name):
    """Con menos escenas que las de la ficha, la medida se mueve un poco."""
    card = weights_card(name)
    measured = load(name).score(200)
    assert measured["AP"] == pytest.approx(card.quality["AP"], abs=0.05)
    assert card.quality["AP"] > BARS[name] > card.quality["AP sin entrenar"] + 0.3


def test_an_unknown_detector_is_told():
    with pytest.raises(ValueError, match="aquí no hay pesos «otro»: usa detr_figuras"):
        load("otro")


@pytest.mark.parametrize("name", WEIGHTS)
def test_the_card_is_of_this_recipe(name, monkeypatch):
    """Todo lo que dice la ficha y no hace falta volver a entrenar."""
    monkeypatch.setattr(detection, "WEIGHTS_SCENES", 2)
    shipped, card, detector = WEIGHTS[name], weights_card(name), load(name)
    detector.history.loss = [0.0] * card.recipe["steps"]
    fresh = build(detector.recipe, len(detector.scenes.classes))
    assert (shipped.config(fresh), shipped.recipe(detector)) == (card.config, card.recipe)
    assert (shipped.seed, shipped.data) == (card.seed, card.data)
    assert list(shipped.score(detector.model) | shipped.blind()) == list(card.quality)
