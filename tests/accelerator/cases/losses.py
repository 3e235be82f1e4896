"""Casos ligeros de las pérdidas."""

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import chosen, counts, floats, ids
from tfcourse.losses import contrastive, ctc, matching, sequences

CASES: list[Case] = []
NOT_HERE = {
    "trabaja en la CPU: recibe una matriz de NumPy o una lista, y `match` se la lleva": (
        "losses.matching.hungarian",
        "losses.matching.brute_force",
    ),
}


@case(
    CASES,
    contrastive.contrastive_loss,
    contrastive.diversity_loss,
    contrastive.hit_share,
    contrastive.info_nce,
    contrastive.sigmoid_loss,
    contrastive.symmetric_loss,
)
def pairs(d):
    logits, hidden = floats(d, 2, 4, 5), chosen(d, 2, 4)
    assert 0 <= contrastive.hit_share(logits, hidden) <= 1
    return [
        contrastive.contrastive_loss(logits, hidden),
        contrastive.diversity_loss(floats(d, 2), 5),
        contrastive.symmetric_loss(floats(d, 3, 3)),
        contrastive.info_nce(floats(d, 2, 4), floats(d, 3, 4), 0.1),
        contrastive.info_nce(floats(d, 2, 4), floats(d, 3, 4), 0.1, chosen(d, 2, 3)),
        contrastive.sigmoid_loss(floats(d, 3, 3)),
    ]


@case(CASES, ctc.ctc_loss, ctc.ctc_forward, ctc.with_blanks, ctc.can_jump)
def unaligned(d):
    scores, heard, lengths = floats(d, 2, 8, 5), ids(d, 4, 2, 3), counts(d, 3, 2)
    states = ctc.with_blanks(heard, 4)
    return [
        ctc.ctc_loss(scores, heard, lengths, blank=4),
        ctc.ctc_forward(scores.log_softmax(-1), heard, lengths, blank=4),
        states,
        ctc.can_jump(states, 4),
    ]


@case(CASES, matching.match)
def assignment(d):
    return matching.match(floats(d, 2, 5, 3), counts(d, 3, 1))


@case(
    CASES,
    sequences.sequence_loss,
    sequences.smoothed_loss,
    sequences.teacher_forcing_loss,
)
def translations(d):
    from tfcourse.models.transformer import Transformer, TransformerConfig

    config = TransformerConfig(9, 9, d_model=8, n_heads=2, n_layers=1, d_hidden=16)
    model, target = Transformer(config).to(d), ids(d, 9, 2, 4, low=1)
    batch = ids(d, 9, 2, 5, low=1), counts(d, 5, 3), target
    return [
        sequences.sequence_loss(floats(d, 2, 4, 9), target),
        sequences.smoothed_loss(floats(d, 2, 4, 9), target),
        sequences.teacher_forcing_loss(model, batch),
    ]


@case(CASES, sequences.masked_loss, sequences.segmented_loss)
def gaps(d):
    from tfcourse.models.bert import BertConfig, MaskedLM
    from tfcourse.models.segmented_bert import SegmentedLM

    config = BertConfig(9, d_model=8, n_heads=2, n_layers=1, d_hidden=16)
    read, tokens, hidden = ids(d, 9, 2, 5), ids(d, 9, 2, 5), chosen(d, 2, 5)
    segments = ids(d, 2, 2, 5)
    return [
        sequences.masked_loss(MaskedLM(config).to(d), (read, tokens, hidden)),
        sequences.segmented_loss(
            SegmentedLM(config).to(d), (read, tokens, counts(d, 5, 4), segments, hidden)
        ),
    ]


@case(CASES, sequences.next_token_loss, sequences.CarriedStateLoss)
def next_tokens(d):
    from tfcourse.models.gpt import GPT, GPTConfig
    from tfcourse.models.language import LanguageConfig, RecurrentLM

    gpt = GPT(GPTConfig(9, d_model=8, n_heads=2, n_layers=1, max_length=8)).to(d)
    reader, carried = (
        RecurrentLM(LanguageConfig(9, 4, 5, cell="lstm")).to(d),
        sequences.CarriedStateLoss(),
    )
    window = ids(d, 9, 2, 4), ids(d, 9, 2, 4), torch.zeros(2, dtype=torch.bool, device=d)
    losses = [carried(reader, window) for _ in range(2)]
    return sequences.next_token_loss(gpt, (ids(d, 9, 2, 5),)), losses
