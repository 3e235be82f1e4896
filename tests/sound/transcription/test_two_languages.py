"""Whisper en dos lenguas: qué se le pide en cada una, qué se aprende y qué se mide."""

import itertools
from dataclasses import replace

import pytest
import torch

from tfcourse.datasets.sounds.spoken_phrases import (
    DIGITS_IN,
    STEADY,
    Speaker,
    draw_phrase,
    reserved_phrases,
)
from tfcourse.losses.ctc import ctc_loss
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.transcription import two_languages
from tfcourse.sound.transcription.recipe import writing_loss
from tfcourse.sound.transcription.two_languages import (
    ALONE,
    BOTH,
    LANGUAGES,
    SPOKEN,
    LanguageVocabulary,
    batches,
    build,
    hearing,
    language_loss,
    named_language,
    named_share,
    targets,
    train,
)
from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE, SpeechVocabulary
from tfcourse.training.budget import Steps

TINY = replace(BOTH, batch_size=8, takes=1)


@pytest.fixture
def phrases():
    clips = tuple(torch.randn(400 + 50 * i) for i in range(10))
    generator = torch.Generator().manual_seed(0)
    people = [Speaker("nadie", clips, language) for language in LANGUAGES]
    return [draw_phrase([people[place % 2]], STEADY, generator) for place in range(4)]


def test_both_vocabularies_number_the_tokens_alike_and_keep_the_usual_ones():
    usual = SpeechVocabulary()
    for vocabulary in SPOKEN.values():
        assert vocabulary.tokens == (*usual.tokens, "<|en|>")
        assert vocabulary.tokens[vocabulary.language_id] == f"<|{vocabulary.language}|>"
    assert SPOKEN["es"].encode([1, 2]) == usual.encode([1, 2])
    assert SPOKEN["en"].encode([1, 2])[4:] == usual.encode([1, 2], TRANSLATE)[4:]
    assert SPOKEN["es"].words([3], TRANSLATE) == SPOKEN["en"].words([3], TRANSCRIBE) == ["three"]
    assert SPOKEN["es"].prompt()[1] != SPOKEN["en"].prompt()[1]


def test_symbols_are_not_text_and_another_language_is_told():
    for vocabulary in SPOKEN.values():
        ids = [*vocabulary.language_ids.values(), vocabulary.encode([7])[4], 0, 9]
        assert vocabulary.decode(ids) == vocabulary.words([7])[0]
    with pytest.raises(ValueError, match="language='fr': usa 'es' o 'en'"):
        LanguageVocabulary("fr")


def test_the_english_phrases_are_the_spanish_ones_in_english():
    for one, other in zip(reserved_phrases(), reserved_phrases(language="en"), strict=True):
        assert (one.labels, one.voice) == (other.labels, other.voice)
        assert (one.language, other.language) == ("es", "en")
        assert [word.text for word in other.words] == [DIGITS_IN["en"][i] for i in other.labels]
        assert one.wave.shape != other.wave.shape or not torch.equal(one.wave, other.wave)


def test_each_row_is_written_in_its_language(phrases):
    written, heard, counts = targets(phrases)
    for row, sounds, count, phrase in zip(written, heard, counts, phrases, strict=True):
        vocabulary = SPOKEN[phrase.language]
        assert row[1] == vocabulary.language_id
        assert vocabulary.decode(row) == " ".join(word.text for word in phrase.words)
        assert [vocabulary.tokens[i] for i in sounds[:count]] == [w.text for w in phrase.words]
        assert (row[4 + count :] == vocabulary.stop_id).all()


def test_the_loss_names_writes_and_hears(phrases):
    torch.manual_seed(0)
    model = Whisper(WhisperConfig(len(SPOKEN["es"]), n_mels=8, d_model=16, d_hidden=16)).eval()
    mels, (written, heard, counts) = torch.randn(4, 8, 60), targets(phrases)
    logits = model(mels, written)
    naming = -logits[:, 0].log_softmax(-1)[range(4), written[:, 1]].mean()
    writing = writing_loss(logits[:, :-1], written[:, 1:])
    ctc = ctc_loss(model.ctc(model.encoder(mels)), heard, counts, 0)
    for weight in (0.0, 0.3):
        found, terms = language_loss(weight)(model, (mels, written, heard, counts))
        torch.testing.assert_close(found, naming + writing + weight * ctc)
        torch.testing.assert_close(terms["nombrar"], naming)


def test_batches_mix_the_languages_of_the_recipe_and_repeat():
    found = list(itertools.islice(batches(TINY, 0), 4))
    symbols = {int(i) for _, written, *_ in found for i in written[:, 1]}
    assert symbols == set(SPOKEN["es"].language_ids.values())
    again = next(batches(TINY, 0))
    assert all(torch.equal(a, b) for a, b in zip(again, found[0], strict=True))
    for language in LANGUAGES:
        _, written, *_ = next(batches(replace(ALONE[language], batch_size=8, takes=1), 0))
        assert (written[:, 1] == SPOKEN[language].language_id).all()


def test_the_named_language_is_the_likelier_of_the_two_symbols(phrases):
    torch.manual_seed(0)
    model = build(BOTH).eval()
    for language in LANGUAGES:
        with torch.no_grad():  # que lo único que se pueda decir sea esa lengua
            model.decoder.norm.weight.zero_()
            model.decoder.norm.bias.copy_(model.decoder.table.weight[SPOKEN[language].language_id])
        assert named_language(model, torch.randn(4_000)) == language
        assert named_share(model, phrases) == 0.5


def test_what_is_measured_with_a_changed_symbol(monkeypatch, phrases):
    model, spanish = build(BOTH), [phrase for phrase in phrases if phrase.language == "es"]
    said = [" ".join(SPOKEN["es"].words(p.labels)) for p in spanish]
    other = [" ".join(SPOKEN["en"].words(p.labels)) for p in spanish]
    for texts, expected in ((said, (0.0, 1.0, 0.0)), (other, (1.0, 0.0, 1.0))):
        monkeypatch.setattr(two_languages, "transcribe", lambda *_, texts=texts: texts)
        assert tuple(hearing(model, spanish, "en").values()) == expected
    monkeypatch.setattr(two_languages, "transcribe", lambda *_: [""] * len(spanish))
    assert hearing(model, spanish, "en")["obeys"] == 0


def test_a_few_steps_train_it():
    trained = train(TINY, 0, Steps(2), d_model=16, d_hidden=16)
    assert len(trained.history.loss) == 2 and not trained.model.training
