"""La receta de VideoBERT: lo que se mide, contra cuentas independientes; y aprende."""

import pytest
import torch

from tfcourse.datasets.scenes.motions import PAIRS, make_clips
from tfcourse.datasets.scenes.video_sentences import TEXT, VIDEO
from tfcourse.datasets.text.masking import Masking
from tfcourse.multimodal.video.recipe import (
    Recipe,
    build,
    filled_share,
    likelihood_scores,
    train,
    video_corpus,
)

TINY = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16, "max_length": 90}


@pytest.fixture(scope="module")
def corpus():
    clips = make_clips(list(PAIRS[:40:4]), torch.Generator().manual_seed(0))
    return video_corpus(clips, clips, branches=2)


def tiny(data):
    torch.manual_seed(0)
    return build(Recipe(size=TINY), len(data.tokenizer)).eval()


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
    made = train(Recipe(size=TINY, steps=60, batch_size=16), 0, data=data)
    assert sum(made.history.loss[-10:]) < 0.8 * sum(made.history.loss[:10])
    assert not made.model.training
