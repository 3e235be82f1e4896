"""Bloques: iguales que los de PyTorch con los mismos pesos, y con sus máscaras bien puestas."""

import pytest
import torch
from torch import nn

from tests.layers.torch_blocks import copy_block
from tfcourse.layers.attention import attention
from tfcourse.layers.blocks import DecoderBlock, EncoderBlock, FeedForward, Residual
from tfcourse.layers.masks import causal_mask, padding_mask
from tfcourse.layers.norms import LayerNorm, RMSNorm

SIZE = {"d_model": 12, "n_heads": 3, "d_hidden": 20}


def random_block(kind, **options):
    torch.manual_seed(0)
    block = kind(**SIZE, **options).double()
    with torch.no_grad():  # ganancias y sesgos distintos de los iniciales
        for parameter in block.parameters():
            parameter.copy_(0.5 * torch.randn_like(parameter))
    return block


def torch_block(kind, norm_first):
    options = {"dropout": 0.0, "batch_first": True, "norm_first": norm_first}
    return kind(12, 3, 20, **options, dtype=torch.double)


@pytest.mark.parametrize("norm_first", [False, True])
def test_encoder_block_equals_torch(norm_first):
    ours = random_block(EncoderBlock, norm_first=norm_first)
    theirs = torch_block(nn.TransformerEncoderLayer, norm_first)
    x, mask = torch.randn(2, 5, 12, dtype=torch.double), padding_mask(torch.tensor([5, 3]), 5)
    with torch.no_grad():
        copy_block(theirs, ours)
    expected = theirs(x, src_key_padding_mask=~mask[:, 0, 0])
    torch.testing.assert_close(ours(x, mask), expected)


@pytest.mark.parametrize("norm_first", [False, True])
def test_decoder_block_equals_torch(norm_first):
    ours = random_block(DecoderBlock, norm_first=norm_first)
    theirs = torch_block(nn.TransformerDecoderLayer, norm_first)
    x, memory = torch.randn(2, 4, 12).double(), torch.randn(2, 6, 12).double()
    mask, memory_mask = causal_mask(4), padding_mask(torch.tensor([6, 2]), 6)
    with torch.no_grad():
        copy_block(theirs, ours)
    expected = theirs(
        x, memory, tgt_mask=~mask[0, 0], memory_key_padding_mask=~memory_mask[:, 0, 0]
    )
    torch.testing.assert_close(ours(x, memory, mask, memory_mask), expected)


@pytest.mark.parametrize("kind", [EncoderBlock, DecoderBlock])
def test_activation_and_norm_reach_every_sublayer(kind):
    block = random_block(kind, activation=nn.GELU, norm=RMSNorm)
    kinds = [type(module) for module in block.modules()]
    assert kinds.count(nn.GELU) == 1 and nn.ReLU not in kinds
    assert kinds.count(RMSNorm) == kinds.count(Residual) and LayerNorm not in kinds


def test_gelu_block_equals_torch():
    ours = random_block(EncoderBlock, activation=nn.GELU)
    theirs = nn.TransformerEncoderLayer(
        12, 3, 20, dropout=0.0, batch_first=True, activation="gelu", dtype=torch.double
    )
    with torch.no_grad():
        copy_block(theirs, ours)
    x = torch.randn(2, 5, 12, dtype=torch.double)
    torch.testing.assert_close(ours(x), theirs(x))


def test_feed_forward_works_on_each_position_alone():
    layer, x = FeedForward(6, 10), torch.randn(2, 4, 6)
    torch.testing.assert_close(layer(x)[:, 2:3], layer(x[:, 2:3]))


def test_kernel_reaches_both_attentions():
    calls = []

    def spy(*args, **kwargs):
        calls.append(1)
        return attention(*args, **kwargs)

    random_block(EncoderBlock, kernel=spy)(torch.randn(1, 3, 12).double())
    assert len(calls) == 1
    block = random_block(DecoderBlock, kernel=spy)
    block(torch.randn(1, 3, 12).double(), torch.randn(1, 2, 12).double())
    assert len(calls) == 3


def test_dropout_only_acts_while_training():
    block, x = random_block(EncoderBlock, dropout=0.5), torch.randn(1, 4, 12).double()
    assert (block(x) - block(x)).abs().max() > 1e-3
    block.eval()
    torch.testing.assert_close(block(x), block(x))
