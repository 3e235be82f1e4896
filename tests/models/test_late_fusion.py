"""El cuello de botella y las fusiones tardías: por dónde pasa lo que una cuenta a la otra."""

import pytest
import torch
from torch import nn

from tests.layers.torch_blocks import copy_block
from tfcourse.models.fusion import FusionClassifier, FusionConfig
from tfcourse.models.late_fusion import (
    BottleneckClassifier,
    BottleneckEncoder,
    JointHeadClassifier,
)

SIZES = {"d_model": 16, "n_heads": 4, "d_hidden": 24}
APART = FusionConfig("por separado", n_classes=3, **SIZES)


@pytest.fixture
def neck():
    torch.manual_seed(0)
    return BottleneckEncoder(3, 2, **SIZES).double()


@pytest.fixture
def pair():
    torch.manual_seed(1)
    return torch.randn(2, 4, 16).double(), torch.randn(2, 6, 16).double()


def cross_difference(model):
    """Cuánto se aparta un modelo de ser la suma de lo que dice cada modalidad."""
    torch.manual_seed(0)
    images, waves = torch.rand(2, 1, 8, 8).double(), 0.1 * torch.randn(2, 8_000).double()
    model = model.double().eval()
    same = model(images, waves)
    crossed = model(images, waves.flip(0))
    return (same[0] + same[1] - crossed[0] - crossed[1]).abs().max()


def test_the_neck_is_two_torch_layers_and_a_mean(neck, pair):
    def layer(block):
        theirs = nn.TransformerEncoderLayer(
            16, 4, 24, dropout=0.0, activation="gelu", norm_first=True, batch_first=True
        ).double()
        with torch.no_grad():
            copy_block(theirs, block)
        return theirs

    a, b = pair
    common = neck.neck.expand(2, -1, -1)
    for stage in neck.stages:
        first, second = map(layer, stage.blocks)
        seen, heard = first(torch.cat([a, common], 1)), second(torch.cat([b, common], 1))
        a, b, common = seen[:, :4], heard[:, :6], (seen[:, 4:] + heard[:, 6:]) / 2
    for found, expected in zip(neck(*pair), (neck.norm(a), neck.norm(b)), strict=True):
        torch.testing.assert_close(found, expected)


def test_what_one_tells_takes_two_layers(neck, pair):
    a, b = pair
    common = neck.neck.expand(2, -1, -1)
    first, *_ = neck.through(neck.stages[0], a, b, common)
    again, *_ = neck.through(neck.stages[0], a, torch.randn_like(b), common)
    assert torch.equal(first, again)
    assert not torch.allclose(neck(a, b)[0], neck(a, torch.randn_like(b))[0])


def test_no_token_looks_at_the_other_modality(neck, pair):
    a, b = pair
    common = neck.neck.expand(2, -1, -1)
    for stage, maps in zip(neck.stages, neck.attention_maps(*pair), strict=True):
        assert maps.shape[-1] == 4 + 3 + 6 + 3
        assert not maps[..., :7, 7:].any() and not maps[..., 7:, :7].any()
        first, second = stage.blocks
        own = first.attention_maps(torch.cat([a, common], 1))
        torch.testing.assert_close(maps[..., :7, :7], own)
        own = second.attention_maps(torch.cat([b, common], 1))
        torch.testing.assert_close(maps[..., 7:, 7:], own)
        a, b, common = neck.through(stage, a, b, common)


def test_apart_and_linear_is_a_sum_of_what_each_says():
    assert cross_difference(FusionClassifier(APART)) < 1e-9
    assert cross_difference(JointHeadClassifier(APART)) > 1e-4
    assert cross_difference(BottleneckClassifier(APART)) > 1e-9
    assert cross_difference(FusionClassifier(FusionConfig("cruzada", **SIZES))) > 1e-4


def test_the_head_reads_both_summaries():
    torch.manual_seed(0)
    model = JointHeadClassifier(APART).eval()
    images, waves = torch.rand(2, 1, 8, 8), 0.1 * torch.randn(2, 8_000)
    seen, heard = (x.mean(dim=1) for x in model.encoder(*model.tokens(images, waves)))
    expected = model.head[2](nn.functional.gelu(model.head[0](torch.cat([seen, heard], 1))))
    torch.testing.assert_close(model(images, waves), expected)
    assert expected.shape == (2, 3)
