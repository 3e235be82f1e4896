"""Recetas de detección: cada peldaño añade una cosa, y los pesos cumplen su ficha."""

import pytest
import torch

from tfcourse.models.anchored_detr import AnchoredDETR
from tfcourse.models.detr import DETR
from tfcourse.training.budget import CpuSeconds, Steps
from tfcourse.vision.detection import recipe as detection
from tfcourse.vision.detection.recipe import BEST, LADDER, WEIGHTS, Recipe, build, load, train
from tfcourse.weights.shipped import weights_card


def test_each_step_adds_one_thing():
    ladder = list(LADDER.values())
    changes = [
        [name for name in vars(a) if getattr(a, name) != getattr(b, name)]
        for a, b in zip(ladder, ladder[1:], strict=False)
    ]
    assert changes == [["auxiliary"], ["anchored"], ["gaussian"], ["two_stage"]]


@pytest.mark.parametrize("name", LADDER)
def test_every_step_builds_its_model(name):
    model, loss = build(LADDER[name], 4), LADDER[name].loss
    assert isinstance(model, AnchoredDETR if LADDER[name].anchored else DETR)
    assert loss.auxiliary is LADDER[name].auxiliary
    outputs = loss.scores(model(torch.rand(1, 3, 64, 64))[-1].logits)
    assert outputs.shape == (1, 8, 4)  # las mismas clases, con «sin objeto» o sin ella


def test_same_seed_same_detector():
    first, again = (train(BEST, 0, Steps(2), batch_size=2) for _ in range(2))
    assert first.history.loss == again.history.loss


def test_time_or_steps(fake_clock):
    done = train(BEST, 0, CpuSeconds(2 * fake_clock.tick), batch_size=2)
    assert done.history.loss and not done.model.training
    assert len(train(BEST, 0, Steps(1), tier="cifras", batch_size=2).history.loss) == 1


def test_improvements_need_anchors():
    with pytest.raises(ValueError, match="necesitan anclas"):
        Recipe(anchored=False, two_stage=True, gaussian=False)


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
