"""Recetas de segmentación: cada nombre es su modelo, y los pesos cumplen su ficha."""

from dataclasses import replace

import pytest
import torch

from tfcourse.models.segmentation import Mask2Former, MaskFormer
from tfcourse.models.setr import SETR
from tfcourse.results import load_results
from tfcourse.segmentation_recipes import (
    MODELS,
    PIECES,
    SHIPPED,
    blind_score,
    build,
    load_shipped,
    train_segmenter,
)
from tfcourse.segmentation_table import LADDER, NAME, settings
from tfcourse.shipped import weights_card


def test_each_step_is_the_model_it_says():
    kinds = {name: build(name, 5) for name in MODELS}
    assert isinstance(kinds["SETR"], SETR) and type(kinds["MaskFormer"]) is MaskFormer
    masked, seeded = kinds["+ enmascarada"], kinds["+ sembradas"]
    assert isinstance(masked, Mask2Former) and isinstance(seeded, Mask2Former)
    assert masked.config.masked and not masked.config.seeded
    assert seeded.config.masked and seeded.config.seeded
    with pytest.raises(ValueError, match="no hay ningún segmentador «otro»: usa SETR"):
        build("otro", 5)


def test_same_seed_same_segmenter():
    first, again = (
        train_segmenter("+ sembradas", "apretadas", 0, steps=2, batch_size=2) for _ in range(2)
    )
    assert first.history.loss == again.history.loss and not first.model.training


def test_time_or_steps():
    trained = train_segmenter("SETR", "figuras", 0, cpu_seconds=0.2, batch_size=2)
    assert trained.history.loss
    for options in ({}, {"steps": 1, "cpu_seconds": 1.0}):
        with pytest.raises(ValueError, match="steps o cpu_seconds, uno de los dos"):
            train_segmenter("SETR", "figuras", 0, **options)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_gives_the_three_answers(name):
    segmenter = train_segmenter(name, "apretadas", 0, steps=1, batch_size=2)
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
    with pytest.raises(ValueError, match="no hay ningún segmentador «otro»: usa setr"):
        load_shipped("otro")


@pytest.mark.lento
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_weights_keep_their_word(name):
    """Con menos escenas que las de la ficha, la medida se mueve un poco."""
    card = weights_card(name)
    measured = load_shipped(name).score(150)
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
    models = {name: build(name, 5) for name in PIECES}
    crossings = {(m.config.masked, m.config.seeded) for m in models.values()}
    assert len(crossings) == 4 and all(type(m) is Mask2Former for m in models.values())
    assert len({replace(m.config, masked=True, seeded=True) for m in models.values()}) == 1
    rows = load_results(NAME, settings())
    assert {row["model"] for row in rows} == set(LADDER)
    assert len(rows) == len(LADDER) * len({row["seed"] for row in rows})
