"""Recetas de Whisper: qué cuenta en la pérdida, qué lleva un lote y qué traen los pesos."""

import itertools
from dataclasses import replace

import pytest
import torch

from tests.sound.cards import assert_card_is_of
from tfcourse.audio.speech_mel import speech_mel
from tfcourse.datasets.sounds.spoken_phrases import (
    STEADY,
    Speaker,
    draw_phrase,
    padded,
    reserved_phrases,
)
from tfcourse.losses.ctc import ctc_loss
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.transcription.recipe import (
    LONG,
    VOCABULARY,
    WEIGHTS,
    Recipe,
    batches,
    build,
    load,
    prepared_batch,
    speech_loss,
    targets,
    without_bands,
    word_error,
    writing_loss,
)
from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE

TINY = Recipe(batch_size=4, takes=1, distinct=3, short_steps=2)


@pytest.fixture
def phrases():
    clips = tuple(torch.randn(400 + 50 * i) for i in range(10))
    generator = torch.Generator().manual_seed(0)
    return [draw_phrase([Speaker("nadie", clips)], STEADY, generator) for _ in range(4)]


def test_each_row_has_its_task_and_ends_with_the_stop(phrases):
    written, heard, counts = targets(phrases, [TRANSCRIBE, TRANSLATE, TRANSCRIBE, TRANSLATE])
    for place, phrase in enumerate(phrases):
        task = TRANSLATE if place % 2 else TRANSCRIBE
        assert VOCABULARY.decode(written[place]) == " ".join(VOCABULARY.words(phrase.labels, task))
        assert counts[place] == len(phrase.labels)
        assert (written[place, 4 + len(phrase.labels) :] == VOCABULARY.stop_id).all()
        known = [VOCABULARY.tokens[i] for i in heard[place, : counts[place]].tolist()]
        assert known == VOCABULARY.words(phrase.labels)


def test_the_loss_is_writing_plus_the_weight_of_hearing(phrases):
    torch.manual_seed(0)
    model = Whisper(WhisperConfig(len(VOCABULARY), n_mels=8, d_model=16, d_hidden=16)).eval()
    batch = (torch.randn(4, 8, 60), *targets(phrases, [TRANSCRIBE] * 4))
    mels, written, heard, counts = batch
    writing = writing_loss(model(mels, written)[:, :-1], written[:, 1:])
    hearing = ctc_loss(model.ctc(model.encoder(mels)), heard, counts, VOCABULARY.stop_id)
    for weight in (0.0, 0.3, 2.0):
        found, _ = speech_loss(weight)(model, batch)
        torch.testing.assert_close(found, writing + weight * hearing)


def test_only_the_words_and_the_first_stop_count(phrases):
    written, _, counts = targets(phrases, [TRANSCRIBE] * 4)
    logits = torch.randn(4, written.shape[1] - 1, len(VOCABULARY))
    loss = writing_loss(logits, written[:, 1:])
    terms = []
    for row, (ids, count) in enumerate(zip(written.tolist(), counts.tolist(), strict=True)):
        for place in range(4, 4 + count + 1):  # palabras y el fin
            terms.append(-float(logits[row, place - 1].log_softmax(-1)[ids[place]]))
    assert float(loss) == pytest.approx(sum(terms) / len(terms), rel=1e-5)


def test_batches_start_short_repeat_and_have_both_tasks():
    found = list(itertools.islice(batches(TINY, 0), 14))
    assert all(int(counts.max()) <= 2 for *_, counts in found[:2])
    assert all(int(counts.min()) >= 3 for *_, counts in found[2:])
    assert len({id(mels) for mels, *_ in found[2:]}) == TINY.distinct
    tasks = {int(task) for _, written, *_ in found for task in written[:, 2]}
    assert tasks == {VOCABULARY.transcribe_id, VOCABULARY.translate_id}
    again = next(batches(TINY, 0))
    assert all(torch.equal(a, b) for a, b in zip(again, found[0], strict=True))
    fresh = itertools.islice(batches(replace(TINY, distinct=None), 0), 2, 8)
    assert len({float(mels.sum()) for mels, *_ in fresh}) == 6


def test_the_kept_batches_change_order_in_each_round():
    recipe = replace(TINY, distinct=6, short_steps=0)
    sums = [float(mels.sum()) for mels, *_ in itertools.islice(batches(recipe, 0), 24)]
    rounds = [tuple(sums[start : start + 6]) for start in range(0, 24, 6)]
    assert len({frozenset(one) for one in rounds}) == 1 and len(set(rounds)) > 1


def test_bands_are_hidden_only_when_asked(phrases):
    def mels(most):
        recipe = replace(TINY, hidden_bands=most, changes=STEADY)
        return prepared_batch(phrases, recipe, torch.Generator().manual_seed(0))[0]

    whole, covered = speech_mel(padded(phrases)), mels(30)
    assert torch.equal(mels(0), whole) and not torch.equal(covered, whole)
    floor = whole.amin(dim=(1, 2), keepdim=True).expand_as(whole)
    assert torch.equal(covered[covered != whole], floor[covered != whole])


def test_hidden_bands_are_contiguous_and_silent():
    mels = torch.rand(50, 12, 5) + 1
    silence = 0.5 + 0.4 * torch.arange(50) / 50  # el de cada frase
    mels[:, 0, 0] = silence
    covered = without_bands(mels, 4, torch.Generator().manual_seed(0))
    widths = set()
    for before, after, quiet in zip(mels, covered, silence, strict=True):
        hidden = ((after == quiet).all(dim=1)).nonzero()[:, 0].tolist()
        widths.add(len(hidden))
        assert hidden == list(range(hidden[0], hidden[0] + len(hidden))) if hidden else True
        kept = [band for band in range(12) if band not in hidden]
        assert torch.equal(before[kept], after[kept])
    assert widths == {0, 1, 2, 3, 4}


def test_the_shipped_weights_hear_new_voices():
    model = load("whisper_cifras")
    some = reserved_phrases()[::4]
    assert word_error(model, some) < 0.15
    assert word_error(model, some, TRANSLATE) < 0.15


def test_the_card_is_of_this_recipe(monkeypatch):
    monkeypatch.setattr("tfcourse.sound.transcription.recipe.word_error", lambda *_: 0.5)
    assert_card_is_of("whisper_cifras", WEIGHTS["whisper_cifras"], build(LONG), LONG)
