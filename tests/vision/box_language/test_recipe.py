"""Recetas de Pix2Seq: se entrena lo que dicen, y los pesos cumplen su ficha."""

import pytest
import torch

from tests.vision.box_language.plain_loss import plain_cross_entropy
from tfcourse.datasets.scenes.box_sequences import Writing
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig
from tfcourse.training import seed_everything
from tfcourse.training.budget import CpuSeconds, Steps
from tfcourse.vision.box_language import recipe as box_language
from tfcourse.vision.box_language.recipe import (
    WEIGHTS,
    Recipe,
    Writer,
    batches,
    build,
    load,
    train,
)
from tfcourse.vision.box_language.writing import stop_as_word
from tfcourse.weights.shipped import weights_card


def test_the_shipped_weights_keep_their_word():
    writer, card = load("pix2seq_figuras"), weights_card("pix2seq_figuras")
    measured = writer.score(100)
    assert abs(measured["AP"] - card.quality["AP"]) < 0.08
    assert card.quality["AP50"] > 0.9 > 0.05 > card.quality["AP sin entrenar"]
    assert card.config["n_bins"] == 65


def test_ending_by_word_never_finds_more():
    writer = load("pix2seq_figuras")
    images = reserved_scenes(30, SHAPE_SCENES).images
    event, word = writer.detect(images), writer.detect(images, stop=stop_as_word)
    assert ((word.scores > 0) <= (event.scores > 0)).all()


def test_same_seed_same_writer():
    recipe = Recipe()
    first, again = (train(recipe, 0, Steps(2), batch_size=2) for _ in range(2))
    assert first.history.loss == again.history.loss
    other = train(recipe, 1, Steps(2), batch_size=2)
    assert first.history.loss != other.history.loss


def test_time_or_steps(fake_clock):
    assert train(Recipe(), 0, CpuSeconds(2 * fake_clock.tick), batch_size=2).history.loss
    assert len(train(Recipe(), 0, Steps(1), batch_size=2).history.loss) == 1


def test_with_noise_there_is_no_end():
    """El mismo modelo, que solo quiere acabar: con FIN no escribe nada; con ruido, los ocho."""
    torch.manual_seed(0)
    model = Pix2Seq(Pix2SeqConfig(4)).eval()
    torch.nn.init.constant_(model.head.bias[model.vocabulary.stop_id], 50.0)
    images = torch.rand(2, 3, 64, 64)
    for n_noise, wanted in ((0, 0), (4, 8)):
        writer = Writer(model, Recipe(Writing(n_noise=n_noise)))
        found = writer.detect(images)
        assert (found.scores > 0).sum(1).tolist() == [wanted] * 2


def test_what_the_recipe_says_is_what_is_trained():
    """Con ruido, coordenadas duras y sin colorear: la primera pérdida es la entropía cruzada."""
    recipe = Recipe(Writing("sitio", n_noise=2), width=0.0, eyes=0.0, n_bins=17)
    done = train(recipe, 0, Steps(1), batch_size=2)
    seed_everything(0)
    model = build(recipe)
    images, inputs, targets, weights, _ = next(batches(recipe, 0, batch_size=2))
    wanted = plain_cross_entropy(model(images, inputs), targets, weights)
    assert done.history.loss[0] == pytest.approx(wanted, rel=1e-4)


def test_the_card_is_of_this_recipe(monkeypatch):
    """Todo lo que dice la ficha y no hace falta volver a entrenar."""
    monkeypatch.setattr(box_language, "WEIGHTS_SCENES", 2)
    (name, shipped), *others = WEIGHTS.items()
    card, writer = weights_card(name), load(name)
    writer.history.loss = [0.0] * card.recipe["steps"]
    assert not others and (shipped.seed, shipped.data) == (card.seed, card.data)
    assert (shipped.config(build(writer.recipe)), shipped.recipe(writer)) == (
        card.config,
        card.recipe,
    )
    assert list(shipped.score(writer.model) | shipped.blind()) == list(card.quality)
