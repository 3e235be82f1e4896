"""Costes: las fórmulas, contra un contador de operaciones y contra las tablas publicadas."""

from functools import partial

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tfcourse.layers.attention import attention
from tfcourse.layers.image.pyramid import SpatialReductionAttention
from tfcourse.layers.image.shifted_windows import WindowAttention
from tfcourse.metrics.multiplications import (
    convnext_macs,
    cross_attention_macs,
    fusion_macs,
    global_attention_macs,
    n_parameters,
    reduced_attention_macs,
    soft_split_side,
    stage_macs,
    swin_macs,
    vit_macs,
    window_attention_macs,
)
from tfcourse.models.convnext import VARIANTS as CONVNEXT
from tfcourse.models.convnext import ConvNeXt, ConvNeXtConfig
from tfcourse.models.fusion import FusionConfig
from tfcourse.models.swin import VARIANTS, Swin, SwinConfig
from tfcourse.models.vit import VARIANTS as VIT_VARIANTS
from tfcourse.models.vit import ViT, ViTConfig


def counted(module, *inputs):
    """Multiplicaciones de una pasada, contadas operación a operación; sin núcleos fusionados."""
    for part in module.modules():
        if hasattr(part, "kernel"):
            part.kernel = partial(attention)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        module(*inputs)
    return counter.get_total_flops() / 2


@pytest.mark.parametrize("side", [32, 64])
def test_whole_models_cost_what_is_counted(side):
    image = torch.rand(1, 1, side, side)
    swin = Swin(SwinConfig(10))
    vit = ViT(ViTConfig(10, image_size=side, patch_size=4))
    assert swin_macs(swin.config, (side, side)) == counted(swin, image)
    assert vit_macs(vit.config) == counted(vit, image)
    modern = ConvNeXt(ConvNeXtConfig(10))
    assert convnext_macs(modern.config, (side, side)) == counted(modern, image)


@pytest.mark.parametrize("shift", [0, 2])
def test_window_attention_costs_what_is_counted(shift):
    layer = WindowAttention(8, 2, 4, shift)
    assert window_attention_macs(8 * 12, 8, 4) == counted(layer, torch.rand(1, 8, 12, 8))


@pytest.mark.parametrize("reduction", [2, 4])
def test_reduced_attention_costs_what_is_counted(reduction):
    layer = SpatialReductionAttention(8, 2, reduction)
    found = counted(layer, torch.rand(1, 64, 8), (8, 8))
    assert reduced_attention_macs(64, 8, reduction) == found


def test_formulas_meet_at_their_limits():
    assert window_attention_macs(49, 96, 7) == global_attention_macs(49, 96)
    assert reduced_attention_macs(64, 32, 1) == global_attention_macs(64, 32)


@pytest.mark.parametrize(("name", "giga"), [("Swin-T", 4.5), ("Swin-S", 8.7), ("Swin-B", 15.4)])
def test_swin_published_costs(name, giga):
    """Liu et al. (2021), tabla 1a."""
    assert swin_macs(SwinConfig(**VARIANTS[name]), (224, 224)) / 1e9 == pytest.approx(
        giga, abs=0.06
    )


@pytest.mark.parametrize(
    ("name", "giga"), [("ConvNeXt-T", 4.5), ("ConvNeXt-S", 8.7), ("ConvNeXt-B", 15.4)]
)
def test_convnext_published_costs(name, giga):
    """Liu et al. (2022), tabla 1."""
    counted_giga = convnext_macs(ConvNeXtConfig(**CONVNEXT[name]), (224, 224)) / 1e9
    assert counted_giga == pytest.approx(giga, abs=0.06)


def test_vit_published_cost():
    """Touvron et al. (2021), tabla 5, para DeiT-B; el mismo tamaño que ViT-B/16."""
    assert vit_macs(ViTConfig(**VIT_VARIANTS["ViT-B/16"])) / 1e9 == pytest.approx(17.6, abs=0.1)


def test_doubling_the_side():
    tokens = 64
    assert global_attention_macs(4 * tokens, 1) / global_attention_macs(tokens, 1) > 12
    assert window_attention_macs(4 * tokens, 8, 4) == 4 * window_attention_macs(tokens, 8, 4)


@pytest.mark.parametrize(
    ("side", "kernel", "stride", "padding"),
    [(224, 7, 4, 2), (56, 3, 2, 1), (28, 3, 2, 1), (9, 4, 2, 0)],
)  # fmt: skip
def test_soft_split_side_same_as_unfold(side, kernel, stride, padding):
    fold = nn.Unfold(kernel, stride=stride, padding=padding)
    found = fold(torch.zeros(1, 1, side, side)).shape[-1]
    assert soft_split_side(side, kernel, stride, padding) ** 2 == found


def test_bad_input_is_explained():
    with pytest.raises(ValueError, match="63 tokens no se reparten en cuadrados de 2 × 2"):
        reduced_attention_macs(63, 8, 2)
    with pytest.raises(ValueError, match="8 tokens no se reparten en cuadrados de 4 × 4"):
        reduced_attention_macs(8, 8, 4)
    with pytest.raises(ValueError, match="no se reparte en ventanas de 4"):
        swin_macs(SwinConfig(10), (24, 32))
    with pytest.raises(ValueError, match="no cabe un cuadrado de 7"):
        soft_split_side(4, 7, 4, 1)


def test_fusion_costs_by_hand():
    config = FusionConfig("concatenación temprana")
    width, hidden, n = config.d_model, config.d_hidden, sum(config.lengths)
    block = 4 * n * width**2 + 2 * n**2 * width + 2 * n * width * hidden
    assert fusion_macs(config) == 2 * block
    assert cross_attention_macs(7, 7, 5) == global_attention_macs(7, 5)
    # Mirar a todas cuesta más pares que mirar a una; las proyecciones son las mismas.
    gap = stage_macs("todas", (4, 6), 8, 16) - stage_macs("propia", (4, 6), 8, 16)
    assert gap == 2 * 8 * (10**2 - 4**2 - 6**2)
    assert stage_macs("otra", (4, 6), 8, 16) == stage_macs("propia", (4, 6), 8, 16) - 2 * 8 * (
        4**2 + 6**2 - 2 * 4 * 6
    )
    assert fusion_macs(FusionConfig("suma temprana")) == fusion_macs(FusionConfig("solo imagen"))


def test_shared_weights_count_once():
    first, second = nn.Linear(3, 4), nn.Linear(3, 4, bias=False)
    assert n_parameters(nn.ModuleList([first, second])) == 3 * 4 + 4 + 3 * 4
    second.weight = first.weight
    assert n_parameters(nn.ModuleList([first, second])) == 3 * 4 + 4
