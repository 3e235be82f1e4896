"""La secuencia de VideoBERT: orden de los tokens, regímenes y lo que se tapa en cada uno."""

import torch

from tfcourse.datasets.scenes.video_sentences import (
    JOIN,
    REGIMES,
    TEXT,
    VIDEO,
    encode_sentences,
    hide,
    joint_batches,
    joint_tokenizer,
)
from tfcourse.datasets.text.masking import Masking

CAPTIONS = [["salta", "deprisa"], ["se", "agacha", "despacio", "y", "salta"], ["salta"]]
WORDS = torch.tensor([[0, 3, 1], [2, 2, 2], [3, 0, 0]])


def sentences():
    tokenizer = joint_tokenizer(CAPTIONS, 4)
    return encode_sentences(WORDS, CAPTIONS, tokenizer)


def test_the_row_reads_as_in_the_paper_and_padding_is_at_the_end():
    data = sentences()
    tokens, lengths, segments = data.joined(data.video, data.text)
    names = [[data.tokenizer.tokens[i] for i in row] for row in tokens.tolist()]
    pad = data.tokenizer.tokens[0]
    assert names[0] == ["[CLS]", "v00", "v03", "v01", JOIN, "salta", "deprisa", "[SEP]", *[pad] * 3]
    assert names[1][5:] == ["se", "agacha", "despacio", "y", "salta", "[SEP]"]
    assert lengths.tolist() == [8, 11, 7]
    assert segments[0].tolist() == [VIDEO] * 5 + [TEXT] * 6


def test_any_video_can_go_with_any_sentence():
    data = sentences()
    tokens, _, _ = data.joined(data.video[[0, 0]], data.text[[0, 1]])
    assert torch.equal(tokens[0, :5], tokens[1, :5]) and not torch.equal(tokens[0], tokens[1])


def test_each_regime_hides_what_it_says_and_never_a_special():
    data = sentences()
    tokens, _, segments = data.joined(data.video, data.text)
    masking = Masking.for_tokenizer(data.tokenizer)
    ordinary = tokens >= masking.n_special
    for video, text in ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)):
        rates = torch.tensor([video, text]).expand(3, 2)
        read, chosen = hide(tokens, segments, rates, masking, torch.Generator().manual_seed(0))
        wanted = torch.where(segments == VIDEO, video, text).bool() & ordinary
        assert torch.equal(chosen, wanted)
        assert (read[chosen] == masking.mask_id).all() and torch.equal(
            read[~chosen], tokens[~chosen]
        )


def test_batches_use_every_regime_and_repeat_with_the_seed():
    data = sentences()
    first, again = (next(joint_batches(data, batch_size=600, seed=1)) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    read, tokens, lengths, segments, chosen = first
    assert torch.equal(read[~chosen], tokens[~chosen])
    video = chosen & (segments == VIDEO)
    text = chosen & (segments == TEXT)
    whole_video = video.sum(1) == 3
    words = lengths - 6
    whole_text = text.sum(1) == words
    # Un tercio de las filas de cada régimen; con tapa parcial, también puede salir entera.
    assert 0.3 < whole_video.float().mean() < 0.42
    assert 0.3 < (whole_text & (words > 2)).float().sum() / (words > 2).sum() < 0.45
    assert not (whole_video & whole_text & (words > 2)).float().mean() > 0.05
    assert len(REGIMES) == 3
