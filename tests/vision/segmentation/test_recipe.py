"""Recetas de segmentación: cada nombre es su modelo, y los pesos cumplen su ficha."""

import json
from dataclasses import asdict, replace

import pytest
import torch

from tfcourse.datasets.scenes.scenes import SHAPE_SCENES
from tfcourse.models.segmentation import Mask2Former, MaskFormer
from tfcourse.models.setr import SETR
from tfcourse.training import History
from tfcourse.training.budget import CpuSeconds
from tfcourse.training.recipe import Trained
from tfcourse.vision.segmentation.recipe import (
    MODELS,
    PIECES,
    RECIPES,
    WEIGHTS,
    Recipe,
    Segmenter,
    blind_score,
    build,
    load,
    train,
)
from tfcourse.weights.shipped import weights_card

QUICK = Recipe(batch_size=2, steps=2)


def test_each_step_is_the_model_it_says():
    kinds = {name: build(Recipe(name)) for name in MODELS}
    assert isinstance(kinds["SETR"], SETR) and type(kinds["MaskFormer"]) is MaskFormer
    masked, seeded = kinds["+ enmascarada"], kinds["+ sembradas"]
    assert isinstance(masked, Mask2Former) and isinstance(seeded, Mask2Former)
    assert masked.config.masked and not masked.config.seeded
    assert seeded.config.masked and seeded.config.seeded
    with pytest.raises(ValueError, match="no hay ningún segmentador «otro»: usa SETR"):
        Recipe("otro")


def test_same_seed_same_segmenter():
    first, again = (train(QUICK, 0) for _ in range(2))
    assert first.history.loss == again.history.loss and not first.model.training


def test_time_or_steps(fake_clock):
    recipe = replace(QUICK, model="SETR", tier="figuras")
    assert train(recipe, 0, CpuSeconds(2 * fake_clock.tick)).history.loss
    assert len(train(recipe, 0).history.loss) == QUICK.steps


def test_other_scenes_than_its_own():
    segmenter = Segmenter(build(QUICK).eval(), QUICK, History())
    own, other = segmenter.score(4), segmenter.score(4, SHAPE_SCENES)
    moved = Segmenter(segmenter.model, replace(QUICK, tier="figuras"), History()).score(4)
    assert other == pytest.approx(moved, nan_ok=True) and other != own


@pytest.mark.parametrize("name", MODELS)
def test_every_model_gives_the_three_answers(name):
    segmenter = train(replace(QUICK, model=name, steps=1), 0)
    answers = segmenter.answer(torch.rand(2, 3, 64, 64))
    assert answers.semantic.shape == (2, 64, 64) and answers.panoptic.shape == (2, 64, 64, 2)
    assert answers.instances.masks.shape[2:] == (64, 64)
    # En la panóptica, lo que no es fondo es un objeto, y un objeto es de una sola clase.
    kinds, numbers = answers.panoptic.unbind(-1)
    assert torch.equal(kinds > 0, numbers > 0)
    for image in range(2):
        for number in numbers[image].unique().tolist():
            assert len(kinds[image][numbers[image] == number].unique()) == 1


def test_not_looking_is_worth_little():
    blind = blind_score("apretadas", 60)
    assert blind["mIoU"] < 0.35 and blind["PQ"] < 0.25 and blind["AP"] < 0.05


def test_an_unknown_segmenter_is_told():
    with pytest.raises(ValueError, match="aquí no hay pesos «otro»: usa setr"):
        load("otro")


@pytest.mark.parametrize("name", WEIGHTS)
def test_the_card_is_of_this_recipe(name):
    """Lo que no pide entrenar: con los pasos que dio, la ficha sale de esta receta."""
    card, shipped = weights_card(name), WEIGHTS[name]
    model = build(RECIPES[name])
    done = Trained(model, RECIPES[name], History(loss=[0.0] * card.recipe["steps"]))
    assert json.loads(json.dumps(shipped.config(model))) == card.config
    assert json.loads(json.dumps(shipped.recipe(done))) == card.recipe
    assert (shipped.seed, shipped.data) == (card.seed, card.data)
    assert asdict(load(name).recipe) | {"steps": 0} == card.recipe | {"steps": 0}


def test_the_card_says_these_measures(monkeypatch):
    monkeypatch.setattr("tfcourse.vision.segmentation.recipe.SHIPPED_TEST", 3)
    shipped = WEIGHTS["setr"]
    measured = shipped.score(build(RECIPES["setr"]).eval()) | shipped.blind()
    assert list(measured) == list(weights_card("setr").quality)


@pytest.mark.lento
@pytest.mark.parametrize("name", WEIGHTS)
def test_shipped_weights_keep_their_word(name):
    """Con menos escenas que las de la ficha, la medida se mueve un poco."""
    card = weights_card(name)
    measured = load(name).score(150)
    for key in ("mIoU", "PQ"):
        assert measured[key] == pytest.approx(card.quality[key], abs=0.05)
        assert card.quality[key] > card.quality[f"{key} sin mirar"] + 0.2


def test_the_bars_of_the_shipped_weights():
    quality = weights_card("mask2former").quality
    assert quality["mIoU"] >= 0.80 and quality["PQ"] >= 0.75


def test_masks_separate_what_pixels_join():
    joined, apart = (weights_card(name).quality["juntos"] for name in ("setr", "mask2former"))
    assert apart > joined + 0.15


def test_each_piece_is_tried_with_and_without_the_other():
    """Cuatro modelos, los cuatro cruces: lo demás no cambia."""
    models = {name: build(Recipe(name)) for name in PIECES}
    crossings = {(m.config.masked, m.config.seeded) for m in models.values()}
    assert len(crossings) == 4 and all(type(m) is Mask2Former for m in models.values())
    assert len({replace(m.config, masked=True, seeded=True) for m in models.values()}) == 1
