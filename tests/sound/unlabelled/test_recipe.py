"""Preentrenar sin etiquetas: los lotes, la pérdida, dos veces lo mismo y lo que viene guardado."""

from dataclasses import replace

import pytest
import torch

from tests.sound.cards import assert_card_is_of
from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.losses.contrastive import contrastive_loss
from tfcourse.models.wav2vec2 import VARIANTS, Wav2Vec2Config, Wav2Vec2Pretraining
from tfcourse.sound.unlabelled.recipe import (
    CLASSROOM,
    LONG,
    WEIGHTS,
    batches,
    build,
    cropped,
    guessing,
    load,
    pretraining_loss,
    train,
)
from tfcourse.training.muon import Muon
from tfcourse.weights.shipped import weights_card

SIZE = VARIANTS["aula"] | {
    "channels": (4, 4, 8, 8), "d_model": 8, "n_heads": 2, "n_layers": 1, "d_hidden": 8,
    "position_groups": 2, "n_codes": 4, "d_code": 4,
}  # fmt: skip
TINY = replace(CLASSROOM, size=SIZE, steps=3, batch_size=4, n_distractors=3)


def test_two_runs_with_one_seed_agree_and_labels_are_not_read(tones):
    first, second = (train(TINY, 1, data=tones) for _ in range(2))
    assert first.history.loss == second.history.loss and not first.model.training
    other = SpokenWords(tones.waves, 1 - tones.labels, tones.voices, tones.words, 8_000)
    assert train(TINY, 1, data=other).history.loss == first.history.loss
    assert set(guessing(first.model, tones, TINY, 10)) == {"loss", "hits", "used"}


def test_the_temperature_goes_down_and_the_batches_fit_the_model(tones):
    heat = [TINY.temperature(step) for step in range(3)]
    assert heat == pytest.approx([2.0, 1.0, 0.5])
    waves, hidden, distractors, first = next(iter(batches(TINY, 0, tones)))
    assert waves.shape == (4, 6_400) and distractors.shape == (*hidden.shape, 3)
    assert first == pytest.approx(2.0)


def test_the_temperature_goes_with_the_batch_and_survives_a_cut(tones):
    stream = batches(TINY, 0, tones)
    whole = [batch for batch, _ in zip(stream.after(0), range(5), strict=False)]
    assert [batch[3] for batch in whole] == pytest.approx([2.0, 1.0, 0.5, 0.5, 0.5])
    resumed = next(batches(TINY, 0, tones).after(1))
    assert resumed[3] == pytest.approx(1.0) and torch.equal(resumed[0], whole[1][0])


def test_each_step_has_its_temperature_and_diversity_its_weight(tones):
    torch.manual_seed(0)
    model = Wav2Vec2Pretraining(Wav2Vec2Config(**SIZE)).train()
    recipe = replace(TINY, diversity=0.7)
    loss = pretraining_loss(recipe)
    waves, hidden, distractors, _ = next(iter(batches(TINY, 0, tones)))
    for heat in (2.0, 1.0, 0.5):
        torch.manual_seed(1)  # el mismo ruido de Gumbel
        found, terms = loss(model, (waves, hidden, distractors, heat))
        assert model.quantizer.temperature == pytest.approx(heat)
        torch.manual_seed(1)
        guess = model(waves, hidden, distractors)
        wasted = 1 - float(guess.used.sum().detach()) / (2 * SIZE["n_codes"])
        wanted = contrastive_loss(guess.logits, hidden).detach() + 0.7 * wasted
        torch.testing.assert_close(found.detach(), wanted)
        assert list(terms) == ["contraste", "diversidad"]


def test_measuring_draws_nothing_and_leaves_the_model_as_it_was(tones):
    model = Wav2Vec2Pretraining(Wav2Vec2Config(**SIZE)).train()
    first = guessing(model, tones, TINY, 10)
    assert model.training and guessing(model, tones, TINY, 10) == first
    assert guessing(model.eval(), tones, TINY, 10) == first and not model.training


def test_muon_moves_the_matrices_of_the_blocks_and_nothing_is_left_out(tones, monkeypatch):
    kept = []

    def spied(matrices, others, **options):
        kept.extend([list(matrices), list(others)])
        return Muon(matrices, others, **options)

    monkeypatch.setattr("tfcourse.sound.unlabelled.recipe.Muon", spied)
    model = train(TINY, 0, data=tones).model
    matrices, others = ({id(p) for p in some} for some in kept)
    linear = [m for m in model.wav2vec2.blocks.modules() if isinstance(m, torch.nn.Linear)]
    assert matrices == {id(layer.weight) for layer in linear} and not matrices & others
    assert matrices | others == {id(p) for p in model.parameters()}


def test_the_crop_keeps_the_middle(tones):
    short = cropped(tones, seconds=0.5)
    assert torch.equal(short.waves, tones.waves[:, 1_200:5_200])


def test_the_card_is_of_this_recipe(monkeypatch):
    guessed = {"loss": 1.0, "hits": 0.5, "used": 3.0}
    monkeypatch.setattr("tfcourse.sound.unlabelled.recipe.guessing", lambda *_: guessed)
    assert_card_is_of("wav2vec_cifras", WEIGHTS["wav2vec_cifras"], build(LONG), LONG)


def test_the_shipped_model_guesses():
    quality = weights_card("wav2vec_cifras").quality
    assert quality["acierto entre distractores"] > 2 * quality["acierto sin entrenar"]
    torch.manual_seed(0)
    with torch.no_grad():
        assert load("wav2vec_cifras").wav2vec2(torch.randn(1, 6_400)).isfinite().all()
