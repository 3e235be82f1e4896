"""Recetas de Pix2Seq: la tabla guardada es la de estas recetas, y los pesos cumplen su ficha."""

import pytest
import torch

from tfcourse.box_writing import stop_as_word
from tfcourse.datasets.box_sequences import Writing
from tfcourse.datasets.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.pix2seq_decoders import N_READ, read_once, train_decoder
from tfcourse.pix2seq_recipes import (
    SHIPPED_NAME,
    WritingRecipe,
    load_shipped,
    train_writer,
)
from tfcourse.pix2seq_study import DECODERS, WHOLE, quality, settings
from tfcourse.results import load_results
from tfcourse.shipped import weights_card


def rows():
    return load_results("pix2seq", settings())


def mean(name, column):
    found = [row[column] for row in rows() if row["recipe"] == name]
    return sum(found) / len(found)


def test_the_stored_table_is_of_these_recipes():
    assert {row["recipe"] for row in rows()} == {*DECODERS, *WHOLE}
    assert mean("de fábrica", "AP") > mean("coordenadas duras", "AP")
    assert mean("de fábrica", "AP") > mean("17 marcas", "AP") + 0.1
    assert mean("entero", "AP") > mean("entero, sin colorear", "AP")


def test_the_shipped_weights_keep_their_word():
    writer, card = load_shipped(), weights_card(SHIPPED_NAME)
    measured = writer.score(100)
    assert abs(measured["AP"] - card.quality["AP"]) < 0.08
    assert card.quality["AP50"] > 0.9 > 0.05 > card.quality["AP sin entrenar"]
    assert card.config["n_bins"] == 65


def test_ending_by_word_never_finds_more():
    writer = load_shipped()
    images = reserved_scenes(30, SHAPE_SCENES).images
    event, word = writer.detect(images), writer.detect(images, stop=stop_as_word)
    assert ((word.scores > 0) <= (event.scores > 0)).all()


def test_same_seed_same_writer():
    recipe = WritingRecipe()
    first, again = (train_writer(recipe, 0, steps=2, batch_size=2) for _ in range(2))
    assert first.history.loss == again.history.loss
    other = train_writer(recipe, 1, steps=2, batch_size=2)
    assert first.history.loss != other.history.loss


def test_time_or_steps():
    assert train_writer(WritingRecipe(), 0, cpu_seconds=0.2, batch_size=2).history.loss
    for options in ({}, {"steps": 1, "cpu_seconds": 1.0}):
        with pytest.raises(ValueError, match="uno de los dos"):
            train_writer(WritingRecipe(), 0, **options)


def test_a_decoder_learns_and_its_eyes_do_not_move():
    eyes = load_shipped()
    read = read_once(eyes, 40, 0)
    with_noise = WritingRecipe(writing=Writing(n_noise=4))
    writer = train_decoder(eyes, with_noise, 0, 3, read)
    before = eyes.model.encoder.state_dict()  # con las medias de BatchNorm
    for name, value in writer.model.encoder.state_dict().items():
        assert torch.equal(value, before[name])
    changed = writer.model.decoder[0].cross_attention.q_proj.weight
    assert not torch.equal(changed, eyes.model.decoder[0].cross_attention.q_proj.weight)
    again = train_decoder(eyes, with_noise, 0, 1, read, start=eyes)
    near = again.model.head.weight - eyes.model.head.weight
    assert near.abs().max() < 0.2 < (writer.model.head.weight - eyes.model.head.weight).abs().max()
    found = writer.detect(torch.rand(2, 3, 64, 64))
    assert found.boxes.shape == (2, 8, 4) and (found.scores > 0).all()


def test_the_page_reads_as_many_scenes_as_the_table():
    assert N_READ == settings()["n_read"] == 2_000
    assert quality(load_shipped())["exhaustividad"] > 0.9
