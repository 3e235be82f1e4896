"""Transformer-XL: leer por trozos con memoria es leer de una vez."""

import pytest
import torch

from tfcourse.models.transformer_xl import TransformerXL, TransformerXLConfig


def model(memory_length):
    torch.manual_seed(0)
    config = TransformerXLConfig(
        n_tokens=11, d_model=16, n_heads=2, n_layers=3, d_hidden=32, memory_length=memory_length
    )
    return TransformerXL(config).double().eval()


def in_segments(net, tokens, size):
    memory, pieces = None, []
    for segment in tokens.split(size, dim=1):
        logits, memory = net(segment, memory)
        pieces.append(logits)
    return torch.cat(pieces, dim=1), memory


@pytest.mark.parametrize("size", [1, 4, 7])
def test_with_memory_enough_segments_are_invisible(size):
    tokens = torch.randint(11, (2, 20))
    net = model(memory_length=20)
    torch.testing.assert_close(in_segments(net, tokens, size)[0], net(tokens)[0])


def test_nothing_is_dropped_if_it_is_not_said():
    net, tokens = model(memory_length=20), torch.randint(11, (2, 20))
    torch.testing.assert_close(net.train()(tokens)[0], net.eval()(tokens)[0])


def test_memory_has_the_length_it_should_and_no_history():
    net, tokens = model(memory_length=6), torch.randint(11, (2, 20))
    _, memory = in_segments(net, tokens, 4)
    assert [m.shape for m in memory] == [(2, 6, 16)] * 3
    assert not any(m.requires_grad for m in memory)


def test_reach_grows_with_depth():
    """Con memoria de un segmento, cada capa añade otro: N·M posiciones hacia atrás."""
    net, tokens = model(memory_length=4), torch.randint(11, (1, 24))
    before = in_segments(net, tokens, 4)[0][0, -1]
    reached = []
    for position in range(24):
        changed = tokens.clone()
        changed[0, position] = (changed[0, position] + 1) % 11
        after = in_segments(net, changed, 4)[0][0, -1]
        reached.append(not torch.equal(before, after))
    assert reached == [position >= 23 - 3 - 3 * 4 for position in range(24)]


def test_without_memory_the_past_is_lost():
    net, tokens = model(memory_length=0), torch.randint(11, (1, 12))
    changed = tokens.clone()
    changed[0, :8] = (changed[0, :8] + 1) % 11
    torch.testing.assert_close(
        in_segments(net, tokens, 4)[0][:, 8:], in_segments(net, changed, 4)[0][:, 8:]
    )
