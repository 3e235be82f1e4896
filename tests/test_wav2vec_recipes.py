"""Recetas de wav2vec 2.0: los lotes, dos veces lo mismo, pocas etiquetas y dictado."""

import itertools
import math
from dataclasses import replace

import pytest
import torch

from tfcourse.contrastive import contrastive_loss
from tfcourse.datasets.spoken_words import SpokenWords
from tfcourse.dictation import (
    DictationRecipe,
    best_path,
    ctc_loss,
    dictations,
    take_dictation,
    word_errors,
)
from tfcourse.models.wav2vec2 import VARIANTS, Wav2Vec2Config, Wav2Vec2Pretraining, WaveTagger
from tfcourse.muon import Muon
from tfcourse.results import load_results
from tfcourse.shipped import weights_card
from tfcourse.voice_labels import (
    NAME,
    PER_WORD,
    VoiceTuning,
    few_clips,
    fine_tune,
    log_mel_vectors,
    probe_accuracy,
    segment_means,
    settings,
    untrained,
    wav2vec_vectors,
)
from tfcourse.wav2vec_recipes import (
    CLASSROOM,
    LONG,
    SHIPPED,
    cropped,
    guessing,
    pretrain,
    pretraining_batches,
    pretraining_loss,
    shipped_wav2vec,
)

SIZE = VARIANTS["aula"] | {
    "channels": (4, 4, 8, 8), "d_model": 8, "n_heads": 2, "n_layers": 1, "d_hidden": 8,
    "position_groups": 2, "n_codes": 4, "d_code": 4,
}  # fmt: skip
TINY = replace(CLASSROOM, size=SIZE, steps=3, batch_size=4, n_distractors=3)


@pytest.fixture(scope="module")
def tones() -> SpokenWords:
    """Dos «palabras» que no hace falta sintetizar: un tono grave y otro agudo, con ruido."""
    torch.manual_seed(0)
    time = torch.arange(6_400) / 8_000
    labels = torch.arange(24) % 2
    hertz = torch.where(labels == 0, 200.0, 1500.0)[:, None]
    waves = 0.3 * torch.sin(6.2832 * hertz * time) + 0.02 * torch.randn(24, 6_400)
    return SpokenWords(waves, labels, ("a",) * 24, ("grave", "agudo"), 8_000)


def test_two_runs_with_one_seed_agree_and_labels_are_not_read(tones):
    (one, first), (_, second) = (pretrain(tones, TINY, seed=1) for _ in range(2))
    assert first.loss == second.loss
    other = SpokenWords(tones.waves, 1 - tones.labels, tones.voices, tones.words, 8_000)
    assert pretrain(other, TINY, seed=1)[1].loss == first.loss
    assert set(guessing(one, tones, TINY, 10)) == {"loss", "hits", "used"}


def test_the_temperature_goes_down_and_the_batches_fit_the_model(tones):
    heat = [TINY.temperature(step) for step in range(3)]
    assert heat == pytest.approx([2.0, 1.0, 0.5])
    waves, hidden, distractors = next(pretraining_batches(tones, TINY, 0))
    assert waves.shape == (4, 6_400) and distractors.shape == (*hidden.shape, 3)


def test_each_step_has_its_temperature_and_diversity_its_weight(tones):
    torch.manual_seed(0)
    model = Wav2Vec2Pretraining(Wav2Vec2Config(**SIZE)).train()
    batch, recipe = next(pretraining_batches(tones, TINY, 0)), replace(TINY, diversity=0.7)
    waves, hidden, distractors = batch
    loss = pretraining_loss(recipe)
    for heat in (2.0, 1.0, 0.5, 0.5):  # si hay más pasos de los previstos, la última
        torch.manual_seed(1)  # el mismo ruido de Gumbel
        found = loss(model, batch)
        assert model.quantizer.temperature == pytest.approx(heat)
        torch.manual_seed(1)
        guess = model(waves, hidden, distractors)
        wasted = 1 - float(guess.used.sum().detach()) / (2 * SIZE["n_codes"])
        wanted = contrastive_loss(guess.logits, hidden).detach() + 0.7 * wasted
        torch.testing.assert_close(found.detach(), wanted)


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

    monkeypatch.setattr("tfcourse.wav2vec_recipes.Muon", spied)
    model, _ = pretrain(tones, TINY)
    matrices, others = ({id(p) for p in some} for some in kept)
    linear = [m for m in model.wav2vec2.blocks.modules() if isinstance(m, torch.nn.Linear)]
    assert matrices == {id(layer.weight) for layer in linear} and not matrices & others
    assert matrices | others == {id(p) for p in model.parameters()}


def test_the_crop_keeps_the_middle(tones):
    short = cropped(tones, seconds=0.5)
    assert torch.equal(short.waves, tones.waves[:, 1_200:5_200])


def test_few_clips_are_as_many_of_each_word_and_depend_on_the_seed(tones):
    few = few_clips(tones, 3, 0)
    assert few.labels.bincount().tolist() == [3, 3]
    assert torch.equal(few.waves, few_clips(tones, 3, 0).waves)
    assert not torch.equal(few.waves, few_clips(tones, 3, 1).waves)
    with pytest.raises(ValueError, match="de «grave» hay 12 clips y se piden 13"):
        few_clips(tones, 13, 0)


def test_fine_tuning_leaves_the_start_alone(tones):
    start, _ = pretrain(tones, TINY)
    before = {name: value.clone() for name, value in start.wav2vec2.state_dict().items()}
    model = fine_tune(start.wav2vec2, tones, VoiceTuning(steps=2, batch_size=4))
    assert model(tones.waves[:2]).shape == (2, 2)
    for name, value in start.wav2vec2.state_dict().items():
        assert torch.equal(value, before[name])
    assert not torch.equal(model.wav2vec2.projection.weight, before["projection.weight"])


def test_a_probe_tells_two_tones_apart(tones):
    trained = pretrain(tones, TINY)[0].wav2vec2
    start = untrained(trained)
    assert start.config == trained.config
    assert not torch.equal(start.projection.weight, trained.projection.weight)
    for vectors in (wav2vec_vectors(start), log_mel_vectors()):
        assert probe_accuracy(vectors, tones, tones) == 1.0
    means = segment_means(lambda waves: waves[:, None, :8], tones, 2)
    torch.testing.assert_close(means[:, 1], tones.waves[:, 4:8].mean(1))


def test_the_best_path_joins_and_drops():
    path = torch.nn.functional.one_hot(torch.tensor([0, 3, 3, 0, 3, 1, 1, 2, 0]), 4).float()
    assert best_path(path) == [3, 3, 1, 2]
    assert best_path(torch.tensor([[1.0, 0.0]])) == []


def test_ctc_adds_every_path_and_zero_is_the_blank():
    torch.manual_seed(0)
    scores, symbols = torch.randn(2, 4, 3, dtype=torch.float64), torch.tensor([[1, 1], [2, 1]])
    losses = []
    for row, wanted in zip(scores.log_softmax(-1), symbols.tolist(), strict=True):
        total = 0.0
        for path in itertools.product(range(3), repeat=4):
            if [s for s, _ in itertools.groupby(path) if s] == wanted:
                total += math.exp(sum(float(row[t, s]) for t, s in enumerate(path)))
        losses.append(-math.log(total) / 2)
    found = ctc_loss(torch.nn.Identity(), (scores, symbols))
    assert float(found) == pytest.approx(sum(losses) / 2)


def test_dictations_are_clips_in_a_row_and_the_model_writes_symbols(tones):
    waves, symbols = next(dictations(tones, 5, 2, seed=3))
    assert waves.shape == (5, 12_800) and symbols.min() >= 1 and symbols.max() <= 2
    for dictated, row in zip(waves.split(6_400, dim=1), symbols.T, strict=True):
        places = (dictated[:, None] == tones.waves).all(dim=2).int().argmax(dim=1)
        assert torch.equal(dictated, tones.waves[places])
        assert torch.equal(row, tones.labels[places] + 1)
    start, _ = pretrain(tones, TINY)
    model, history = take_dictation(
        start.wav2vec2, tones, DictationRecipe(steps=2, batch_size=4, n_words=2)
    )
    assert isinstance(model, WaveTagger) and len(history.loss) == 2
    assert word_errors(model, waves, symbols) >= 0


def test_the_shipped_model_is_that_of_its_recipe_and_guesses():
    card = weights_card(SHIPPED)
    assert card.recipe["steps"] == LONG.steps
    assert card.quality["acierto entre distractores"] > 2 * card.quality["acierto sin entrenar"]
    torch.manual_seed(0)
    with torch.no_grad():
        assert shipped_wav2vec().wav2vec2(torch.randn(1, 6_400)).isfinite().all()


def test_the_stored_table_is_that_of_this_recipe():
    rows = load_results(NAME, settings())
    assert {row["per_word"] for row in rows} == set(PER_WORD)
    assert len(rows) == 4 * len(PER_WORD) * len({row["seed"] for row in rows})
