"""Recetas de VideoBERT y Med-BERT: lo que se mide, contra cuentas independientes; y aprenden."""

import pytest
import torch

from tfcourse.clip_movies import ClipMovie, strip_jpeg
from tfcourse.datasets.masking import Masking
from tfcourse.datasets.motions import PAIRS, make_clips
from tfcourse.datasets.patient_records import N_SEGMENTS, encode_patients, record_tokenizer
from tfcourse.datasets.patients import CODES, ILLS, NEVER, make_patients, swapped_ills, without_ill
from tfcourse.datasets.video_sentences import TEXT, VIDEO
from tfcourse.medbert_recipes import (
    PretrainingRecipe,
    TuningRecipe,
    area_under_roc,
    change,
    ill_effects,
    masked_records,
    pretrain,
    risk_logits,
    tuned,
    untrained,
)
from tfcourse.models.bert import BertConfig
from tfcourse.models.risk import RiskHead
from tfcourse.models.segmented_bert import SegmentedLM
from tfcourse.videobert_recipes import (
    VideoRecipe,
    filled_share,
    likelihood_scores,
    trained,
    video_corpus,
)

TINY = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16, "max_length": 90}


@pytest.fixture(scope="module")
def corpus():
    clips = make_clips(list(PAIRS[:40:4]), torch.Generator().manual_seed(0))
    return video_corpus(clips, clips, branches=2)


def tiny(data):
    torch.manual_seed(0)
    return SegmentedLM(BertConfig(len(data.tokenizer), **TINY)).eval()


def test_the_score_is_the_log_probability_of_the_video_given_the_sentence(corpus):
    _, data, _ = corpus
    model = tiny(data)
    scores = likelihood_scores(model, data)
    mask = Masking.for_tokenizer(data.tokenizer).mask_id
    for i, j in ((0, 0), (2, 5), (7, 1)):
        tokens, lengths, segments = data.joined(data.video[j : j + 1], data.text[i : i + 1])
        hidden, total = tokens.clone(), 0.0
        hidden[0, 1 : 1 + data.video.shape[1]] = mask
        for place in range(1, 1 + data.video.shape[1]):
            one = torch.zeros_like(tokens, dtype=torch.bool)
            one[0, place] = True
            with torch.no_grad():
                logits = model(hidden, lengths, segments, one)
            total += float(logits.log_softmax(-1)[0, tokens[0, place]])
        assert float(scores[i, j]) == pytest.approx(total, abs=1e-4)


def test_filled_share_counts_only_the_asked_modality(corpus):
    _, data, _ = corpus
    model = tiny(data)
    with torch.no_grad():  # una red que siempre dice lo mismo
        model.head.output.bias[data.video[0, 0]] = 1e4
    expected = float((data.video == data.video[0, 0]).float().mean())
    assert filled_share(model, data, (1.0, 1.0), VIDEO) == pytest.approx(expected)
    assert filled_share(model, data, (1.0, 1.0), TEXT) == 0


def test_the_visual_words_come_from_the_training_clips(corpus):
    words, train, test = corpus
    other = make_clips(list(PAIRS[1:20:4]), torch.Generator().manual_seed(5))
    clips = make_clips(list(PAIRS[:40:4]), torch.Generator().manual_seed(0))
    again, _, _ = video_corpus(clips, other, branches=2)
    torch.testing.assert_close(again.words, words.words)
    assert torch.equal(train.video, test.video) and train.tokenizer is test.tokenizer


def test_videobert_learns_a_handful_of_clips(corpus):
    _, data, _ = corpus
    model, history = trained(data, VideoRecipe(size=TINY, steps=60, batch_size=16), 0)
    assert sum(history.loss[-10:]) < 0.8 * sum(history.loss[:10])
    assert not model.training


def test_area_equals_scikit_learn_with_ties():
    metrics = pytest.importorskip("sklearn.metrics")
    generator = torch.Generator().manual_seed(0)
    labels = (torch.rand(300, generator=generator) < 0.3).long()
    scores = (4 * torch.rand(300, generator=generator) + labels).round()
    expected = metrics.roc_auc_score(labels.numpy(), scores.numpy())
    assert area_under_roc(scores, labels) == pytest.approx(expected)
    assert area_under_roc(torch.zeros(4), torch.tensor([0, 1, 1, 0])) == 0.5
    with pytest.raises(ValueError, match="hay 0 casos y 4 no casos"):
        area_under_roc(torch.rand(4), torch.zeros(4).long())


TOKENIZER = record_tokenizer()
PEOPLE = make_patients(200, 3)
RECORDS = encode_patients(PEOPLE, TOKENIZER)


def test_only_codes_are_hidden_and_the_outcome_is_not_in_the_batch():
    recipe = PretrainingRecipe(rate=0.5, batch_size=50)
    batch = next(masked_records(RECORDS, TOKENIZER, recipe, 0))
    read, tokens, lengths, visits, chosen = batch
    first = TOKENIZER.token_id(CODES[0])
    assert (tokens[chosen] >= first).all() and torch.equal(read[~chosen], tokens[~chosen])
    codes = tokens >= first
    assert 0.4 < float(chosen.sum() / codes.sum()) < 0.6
    assert tokens.shape[1] == int(lengths.max()) and int(visits.max()) < N_SEGMENTS


def test_pretraining_lowers_the_loss_and_repeats_with_the_seed():
    recipe = PretrainingRecipe(size=TINY, steps=40, batch_size=16)
    first, again = (pretrain(RECORDS, TOKENIZER, recipe, 1)[1].loss for _ in range(2))
    assert first == again and sum(first[-5:]) < 0.98 * sum(first[:5])


def test_tuning_copies_the_encoder_and_memorizes():
    model = untrained(TOKENIZER, TINY)
    before = model.bert.embedding.table.weight.detach().clone()
    few = RECORDS.rows(torch.arange(16))
    risk = tuned(RiskHead(model.bert), few, TuningRecipe(steps=150, lr=3e-3, batch_size=16), 0)
    torch.testing.assert_close(model.bert.embedding.table.weight.detach(), before)
    assert area_under_roc(risk_logits(risk, few), few.labels) > 0.95


def test_removing_and_swapping_change_codes_starts_and_risk():
    gone = without_ill(PEOPLE, "alba")
    number = ILLS.index("alba")
    assert not ((gone.codes >= 4 * number) & (gone.codes < 4 * number + 4)).any()
    others = PEOPLE.codes // 4 != number
    assert torch.equal(gone.codes[others], PEOPLE.codes[others])
    assert (gone.starts[:, number] == NEVER).all() and (gone.risk <= PEOPLE.risk + 1e-6).all()
    turned = swapped_ills(PEOPLE, "alba", "boro")
    assert torch.equal(turned.starts[:, 0], PEOPLE.starts[:, 1])
    alba, boro = PEOPLE.codes // 4 == 0, PEOPLE.codes // 4 == 1
    alba &= PEOPLE.codes >= 0
    assert torch.equal(turned.codes[alba], PEOPLE.codes[alba] + 4)
    assert torch.equal(turned.codes[boro], PEOPLE.codes[boro] - 4)
    back = swapped_ills(turned, "alba", "boro")
    assert torch.equal(back.codes, PEOPLE.codes) and torch.equal(back.risk, PEOPLE.risk)
    with pytest.raises(ValueError, match="no hay ningún mal llamado «gripe»"):
        without_ill(PEOPLE, "gripe")


def test_effects_are_the_mean_change_of_those_who_have_it():
    model = RiskHead(untrained(TOKENIZER, TINY).bert).eval()
    with torch.no_grad():
        model.output.weight.normal_()
    effects = ill_effects(model, PEOPLE, TOKENIZER)
    assert list(effects) == list(ILLS)
    have = PEOPLE.rows((PEOPLE.starts[:, 4] < NEVER).nonzero()[:, 0])
    gone = without_ill(have, "ebro")
    guesses = [risk_logits(model, encode_patients(p, TOKENIZER)) for p in (have, gone)]
    assert effects["ebro"][0] == pytest.approx(float((guesses[0] - guesses[1]).mean()), abs=1e-5)
    assert effects["ebro"][1] == pytest.approx(
        float((have.risk.logit() - gone.risk.logit()).mean())
    )
    assert effects["gala"][1] == pytest.approx(0, abs=1e-5)
    assert change(model, have, have, TOKENIZER) == (0.0, 0.0)


def test_a_movie_waits_until_it_is_asked_and_says_what_happens():
    clips = make_clips(list(PAIRS[:2]), torch.Generator().manual_seed(0))
    captions = [" ".join(words) for words in clips.captions]
    movie = ClipMovie(clips.videos, captions)
    page = movie._repr_html_()
    assert "animation-play-state:paused" in page and 'type="checkbox"' in page
    assert "<script" not in page and "checked>" not in page
    assert all(f'aria-label="Clip: {caption}"' in page for caption in captions)
    assert repr(movie).count("▶") == 2 and len(page) < 60_000
    from torchvision.io import decode_jpeg

    strip = decode_jpeg(torch.frombuffer(bytearray(strip_jpeg(clips.videos[0])), dtype=torch.uint8))
    assert strip.shape == (3, 32, 16 * 32)
    last = strip[:, :, -32:].float() / 255
    assert (last - clips.videos[0, -1]).abs().mean() < 0.08
    with pytest.raises(ValueError, match="llegaron 2 clips y 1 frases"):
        ClipMovie(clips.videos, captions[:1])
