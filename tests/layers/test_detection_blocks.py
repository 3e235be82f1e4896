"""Bloques de un detector: sin posiciones son los del Transformer; y la cabeza de una consulta."""

import pytest
import torch
from torch import nn

from tfcourse.layers.blocks import DecoderBlock, EncoderBlock
from tfcourse.layers.image.detection_blocks import (
    ImageEncoderBlock,
    ObjectDecoderBlock,
    QueryHead,
)
from tfcourse.layers.masks import padding_mask

SIZE = {"d_model": 12, "n_heads": 3, "d_hidden": 20}


@pytest.fixture
def pair():
    torch.manual_seed(0)
    return torch.randn(2, 4, 12).double(), torch.randn(2, 6, 12).double()


def like(kind, block):
    """Un bloque de otra clase, con los mismos pesos."""
    other = kind(**SIZE).double()
    other.load_state_dict(block.state_dict())
    return other


def test_without_positions_the_encoder_block_is_the_usual_one(pair):
    x, mask = pair[0], padding_mask(torch.tensor([4, 2]), 4)
    block = ImageEncoderBlock(**SIZE).double()
    plain = like(EncoderBlock, block)
    torch.testing.assert_close(block(x, mask), plain(x, mask))
    torch.testing.assert_close(block.attention_maps(x, mask), plain.attention_maps(x, mask))


def test_without_positions_the_decoder_block_is_the_usual_one(pair):
    limits = torch.ones(4, 4, dtype=torch.bool).tril(), padding_mask(torch.tensor([6, 3]), 6)
    block = ObjectDecoderBlock(**SIZE).double()
    plain = like(DecoderBlock, block)
    torch.testing.assert_close(block(*pair, *limits), plain(*pair, *limits))
    maps, expected = (one.attention_maps(*pair, *limits) for one in (block, plain))
    torch.testing.assert_close(maps, expected)


def test_positions_choose_whom_to_look_at_and_not_what_is_read(pair):
    """Con las posiciones sumadas a mano a consultas y claves, y los valores sin tocar."""
    x, places = pair[0], torch.randn(4, 12).double()
    block = ImageEncoderBlock(**SIZE).double()
    weights, v = block.attention_maps(x, positions=places), block.attention.v_proj(x)
    mixed = weights @ block.attention.split(v)
    after = block.attention.out_proj(mixed.transpose(1, 2).flatten(2))
    expected = block.around_feed_forward(block.around_attention.norm(x + after), block.feed_forward)
    torch.testing.assert_close(block(x, positions=places), expected)
    assert (weights - block.attention_maps(x)).abs().max() > 1e-3


def test_the_head_is_a_small_network():
    head = QueryHead(8, 5)
    assert head(torch.randn(2, 3, 8)).shape == (2, 3, 5)
    first, second, third = (layer for layer in head if isinstance(layer, nn.Linear))
    x = torch.randn(4, 8)
    hidden = (x @ first.weight.T + first.bias).clamp(min=0)
    hidden = (hidden @ second.weight.T + second.bias).clamp(min=0)
    torch.testing.assert_close(head(x[None])[0], hidden @ third.weight.T + third.bias)
