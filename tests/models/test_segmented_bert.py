"""La red de VideoBERT y Med-BERT: como la de transformers, segmentos, relleno; y aprende."""

import pytest
import torch
import torch.nn.functional as F

from tests.models.test_bert import copy_encoder, library_config, shaken
from tfcourse.losses import segmented_loss
from tfcourse.models.bert import BertConfig
from tfcourse.models.risk import RiskHead
from tfcourse.models.segmented_bert import VARIANTS, SegmentedLM

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 2, "d_hidden": 24, "max_length": 12}
TOKENS = torch.tensor([[4, 7, 9, 5, 8, 5], [4, 10, 6, 5, 0, 0]])
LENGTHS = torch.tensor([6, 4])
SEGMENTS = torch.tensor([[0, 0, 1, 1, 2, 0], [0, 1, 2, 0, 0, 0]])
CHOSEN = torch.tensor([[0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0]]).bool()


def small(n_segments=3):
    torch.manual_seed(0)
    return shaken(SegmentedLM(BertConfig(11, n_segments=n_segments, **SMALL)).double().eval())


def test_logits_equal_the_library():
    transformers = pytest.importorskip("transformers")
    ours = small()
    theirs = transformers.BertForMaskedLM(library_config(type_vocab_size=3)).double().eval()
    copy_encoder(theirs.bert, ours.bert)
    with torch.no_grad():
        head, mine = theirs.cls.predictions, ours.head
        head.transform.dense.load_state_dict(mine.transform.state_dict())
        head.transform.LayerNorm.weight.copy_(mine.norm.gain)
        head.transform.LayerNorm.bias.copy_(mine.norm.bias)
        head.decoder.weight.copy_(mine.output.weight)
        head.decoder.bias.copy_(mine.output.bias)
        kept = torch.arange(6) < LENGTHS[:, None]
        expected = theirs(TOKENS, attention_mask=kept.long(), token_type_ids=SEGMENTS).logits
        logits = ours(TOKENS, LENGTHS, SEGMENTS, CHOSEN)
    torch.testing.assert_close(logits, expected[CHOSEN], atol=1e-10, rtol=0)


def test_the_loss_is_the_mean_over_the_hidden_ones():
    model = small()
    read = TOKENS.masked_fill(CHOSEN, 6)
    loss = segmented_loss(model, (read, TOKENS, LENGTHS, SEGMENTS, CHOSEN))
    logits = model.head(model.bert(read, LENGTHS, SEGMENTS))
    costs = F.cross_entropy(logits.transpose(1, 2), TOKENS, reduction="none")
    torch.testing.assert_close(loss, costs[CHOSEN].mean())


def test_segments_matter_and_padding_does_not():
    model = small()
    logits = model(TOKENS, LENGTHS, SEGMENTS, CHOSEN)
    assert (model(TOKENS, LENGTHS, SEGMENTS * 0, CHOSEN) - logits).abs().max() > 1e-3
    noisy = TOKENS.clone()
    noisy[1, 4:] = 9
    torch.testing.assert_close(model(noisy, LENGTHS, SEGMENTS, CHOSEN), logits)


def test_risk_reads_the_mean_without_padding():
    model = RiskHead(small().bert).double().eval()
    states = model.bert(TOKENS, LENGTHS, SEGMENTS)
    for i, n in enumerate(LENGTHS.tolist()):
        expected = states[i, :n].mean(0)
        torch.testing.assert_close(model.summary(TOKENS, LENGTHS, SEGMENTS)[i], expected)
    alone = model(TOKENS[1:, :4], LENGTHS[1:], SEGMENTS[1:, :4])
    torch.testing.assert_close(model(TOKENS, LENGTHS, SEGMENTS)[1:], alone)
    torch.testing.assert_close(
        model(TOKENS, LENGTHS, SEGMENTS),
        model.output(model.summary(TOKENS, LENGTHS, SEGMENTS))[:, 0],
    )


@pytest.mark.lento
def test_memorizes_a_batch():
    torch.manual_seed(0)
    model = SegmentedLM(BertConfig(30, n_segments=3, **SMALL | {"d_model": 32}))
    tokens, segments = torch.randint(7, 30, (8, 10)), torch.randint(3, (8, 10))
    chosen, lengths = torch.rand(8, 10) < 0.3, torch.full((8,), 10)
    batch = (tokens.masked_fill(chosen, 6), tokens, lengths, segments, chosen)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(200):
        loss = segmented_loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < 0.05


def test_published_sizes_can_be_built():
    for name in ("VideoBERT", "Med-BERT"):
        with torch.device("meta"):
            model = SegmentedLM(BertConfig(**VARIANTS[name]))
        assert len(model.bert.blocks) == VARIANTS[name]["n_layers"]
