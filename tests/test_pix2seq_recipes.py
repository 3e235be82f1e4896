"""Recetas de Pix2Seq: la tabla guardada es la de estas recetas, y los pesos cumplen su ficha."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from tfcourse.box_writing import stop_as_word
from tfcourse.datasets.box_sequences import Writing, sequence_batches
from tfcourse.datasets.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig
from tfcourse.pix2seq_decoders import N_READ, read_batches, read_once, train_decoder
from tfcourse.pix2seq_recipes import (
    SHIPPED_NAME,
    Writer,
    WritingRecipe,
    load_shipped,
    train_writer,
)
from tfcourse.pix2seq_study import DECODERS, WHOLE, quality, settings
from tfcourse.results import load_results
from tfcourse.shipped import weights_card
from tfcourse.training import seed_everything


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


def test_with_noise_there_is_no_end():
    """El mismo modelo, que solo quiere acabar: con FIN no escribe nada; con ruido, los ocho."""
    torch.manual_seed(0)
    model = Pix2Seq(Pix2SeqConfig(4)).eval()
    torch.nn.init.constant_(model.head.bias[model.vocabulary.stop_id], 50.0)
    images = torch.rand(2, 3, 64, 64)
    for n_noise, wanted in ((0, 0), (4, 8)):
        writer = Writer(model, WritingRecipe(Writing(n_noise=n_noise)))
        found = writer.detect(images)
        assert (found.scores > 0).sum(1).tolist() == [wanted] * 2


def plain_cross_entropy(logits, targets, weights):
    """La de siempre, en las palabras que cuentan."""
    losses = F.cross_entropy(logits.flatten(0, -2), targets.flatten(), reduction="none")
    return float(losses[weights.flatten() > 0].mean().detach())


def test_what_the_recipe_says_is_what_is_trained():
    """Con ruido, coordenadas duras y sin colorear: la primera pérdida es la entropía cruzada."""
    recipe = WritingRecipe(Writing("sitio", n_noise=2), width=0.0, eyes=0.0, n_bins=17)
    trained = train_writer(recipe, 0, steps=1, batch_size=2)
    seed_everything(0)
    model = Pix2Seq(Pix2SeqConfig(4, 17))
    images, inputs, targets, weights, _ = next(
        sequence_batches(2, 0, model.vocabulary, recipe.writing)
    )
    wanted = plain_cross_entropy(model(images, inputs), targets, weights)
    assert trained.history.loss[0] == pytest.approx(wanted, rel=1e-4)


def test_a_decoder_is_trained_with_its_own_recipe():
    eyes = load_shipped()
    read = read_once(eyes, 20, 0)
    recipe = WritingRecipe(Writing("sitio"), width=0.0, n_bins=17)
    writer = train_decoder(eyes, recipe, 0, 1, read)
    assert writer.model.vocabulary.n_bins == 17
    seed_everything(0)
    fresh = Pix2Seq(replace(eyes.model.config, n_bins=17))
    memory, inputs, targets, weights = next(read_batches(*read, fresh, recipe, 0))
    wanted = plain_cross_entropy(fresh.decode(inputs, memory), targets, weights)
    assert writer.history.loss[0] == pytest.approx(wanted, rel=1e-4)
    assert not any(p.requires_grad for p in writer.model.encoder.parameters())


def test_each_memory_goes_with_its_own_words():
    """La memoria es aquí el número de la escena: lo escrito tiene que ser lo de esa escena."""
    scenes, model = reserved_scenes(30, SHAPE_SCENES), Pix2Seq(Pix2SeqConfig(4))
    numbers = torch.arange(30.0)[:, None, None]
    told = model.vocabulary.encode(scenes.boxes, scenes.classes)
    stream = read_batches(scenes, numbers, model, WritingRecipe(), 0)
    met = set()
    for memory, _, targets, _ in (next(stream) for _ in range(3)):
        for row, number in enumerate(memory.flatten().long().tolist()):
            count = int(scenes.counts[number])
            written = targets[row, 0, : 5 * count].unflatten(0, (-1, 5)).tolist()
            assert sorted(written) == sorted(told[number, :count].tolist())
            met.add(number)
    assert len(met) > 20


def test_the_page_reads_as_many_scenes_as_the_table():
    assert N_READ == settings()["n_read"] == 2_000
    assert quality(load_shipped())["exhaustividad"] > 0.9
