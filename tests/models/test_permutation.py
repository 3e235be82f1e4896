"""Lenguaje por permutaciones: cada token se predice solo con los de turno anterior."""

import pytest
import torch
from torch import nn

from tfcourse.layers.masks import causal_mask, permutation_mask
from tfcourse.models.bert import BertConfig
from tfcourse.models.permutation import PermutationLM

SMALL = {"d_model": 16, "n_heads": 2, "n_layers": 2, "d_hidden": 32, "max_length": 8}
ORDER = torch.tensor([[2, 0, 3, 1], [0, 1, 2, 3]])


def model():
    torch.manual_seed(0)
    return PermutationLM(BertConfig(12, **SMALL)).double().eval()


def test_reading_from_left_to_right_is_the_causal_mask():
    order = torch.arange(5)[None]
    torch.testing.assert_close(permutation_mask(order), causal_mask(5))
    strict = permutation_mask(order, see_itself=False)
    torch.testing.assert_close(strict, causal_mask(5) & ~torch.eye(5, dtype=torch.bool))


def test_the_mask_says_who_came_before():
    mask = permutation_mask(ORDER)[0, 0]
    for asking in range(4):
        for asked in range(4):
            assert mask[asking, asked] == (ORDER[0, asked] <= ORDER[0, asking])
    with pytest.raises(ValueError, match="no son una permutación de 0 a 2"):
        permutation_mask(torch.tensor([[0, 1, 1]]))


def test_each_prediction_depends_on_the_earlier_turns_and_on_no_other():
    lm, tokens = model(), torch.tensor([[7, 8, 9, 10]])
    before = lm(tokens, ORDER[:1])
    for changed in range(4):
        other = tokens.clone()
        other[0, changed] = 11
        moved = (lm(other, ORDER[:1]) - before)[0].abs().amax(dim=-1) > 1e-9
        assert moved.tolist() == (ORDER[0] > ORDER[0, changed]).tolist()


def test_the_position_asked_for_matters():
    lm, tokens = model(), torch.tensor([[7, 8, 9, 10]])
    first_turns = [torch.tensor([[0, 1, 2, 3]]), torch.tensor([[1, 0, 2, 3]])]
    guesses = [lm(tokens, order)[0, int(order[0].argmin())] for order in first_turns]
    assert (guesses[0] - guesses[1]).abs().max() > 1e-6


def test_query_asks_the_content_of_the_layer_before():
    """Yang et al. (2019), § 2.3: g⁽ᵐ⁾ se calcula con h⁽ᵐ⁻¹⁾, no con h⁽ᵐ⁾."""
    lm, tokens = model(), torch.tensor([[7, 8, 9, 10]])
    seen = []
    for block in lm.bert.blocks:
        block.attention.register_forward_hook(lambda _, args, __: seen.append(args))
    lm(tokens, ORDER[:1])
    asked, read = seen[0::2], seen[1::2]  # en cada bloque pregunta la consulta y después se lee
    for (query, keys, values), (content, _, _) in zip(asked, read, strict=True):
        torch.testing.assert_close(keys, content)
        torch.testing.assert_close(values, content)
        assert (query - content).abs().max() > 1e-6


@pytest.mark.lento
def test_learns_any_order():
    torch.manual_seed(0)
    lm = PermutationLM(BertConfig(12, **SMALL)).train()
    start = torch.randint(7, 12, (64, 1))
    tokens = 7 + (start - 7 + torch.arange(4)) % 5  # sabido uno, se saben todos
    optimizer = torch.optim.AdamW(lm.parameters(), lr=3e-3)
    for _ in range(250):
        order = torch.rand(64, 4).argsort(dim=-1)
        logits = lm(tokens, order)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    hit = (lm(tokens, order).argmax(-1) == tokens)[order > 0]
    assert hit.float().mean() > 0.95
