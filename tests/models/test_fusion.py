"""Fusión: paridad con PyTorch, variantes que son máscaras unas de otras, y que aprende."""

import pytest
import torch
from torch import nn

from tests.layers.torch_blocks import copy_block
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.fusion import (
    UNIMODAL,
    VARIANTS,
    FusionClassifier,
    FusionConfig,
    FusionEncoder,
    Variant,
    variant_masks,
)
from tfcourse.multimodal.fusion.plots import reachable

SIZES = {"d_model": 16, "n_heads": 4, "d_hidden": 24}
MASKS = [name for name, variant in VARIANTS.items() if not variant.added]
SYMMETRIC = ("suma temprana", "concatenación temprana")


def encoder(name, n_layers=2, **options):
    torch.manual_seed(1)
    return FusionEncoder((VARIANTS | UNIMODAL)[name], n_layers, **options, **SIZES).double()


@pytest.fixture
def pair():
    torch.manual_seed(0)
    return tuple(torch.randn(2, 4, 16, dtype=torch.float64) for _ in range(2))


@pytest.fixture
def batch():
    torch.manual_seed(0)
    return torch.rand(3, 1, 8, 8), 0.1 * torch.randn(3, 8_000)


def test_early_concatenation_is_a_torch_encoder(pair):
    ours = encoder("concatenación temprana")
    layer = nn.TransformerEncoderLayer(
        16, 4, 24, dropout=0.0, activation="gelu", norm_first=True, batch_first=True
    )
    theirs = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).double()
    with torch.no_grad():
        for theirs_block, stage in zip(theirs.layers, ours.stages, strict=True):
            copy_block(theirs_block, stage.blocks[0])
    (found,) = ours(*pair)
    expected = ours.norm(theirs(torch.cat(pair, dim=1)))
    torch.testing.assert_close(found, expected)
    allowed = variant_masks(VARIANTS["concatenación temprana"], (4, 4))[0][0, 0]
    torch.testing.assert_close(ours.norm(theirs(torch.cat(pair, dim=1), mask=~allowed)), expected)


@pytest.mark.parametrize("n_layers", [2, 4])
@pytest.mark.parametrize("name", MASKS)
def test_tied_variants_are_one_encoder_with_other_masks(name, n_layers, pair):
    a, b = pair[0], pair[1][:, :3]
    ours = encoder(name, n_layers, tied=True)
    x = torch.cat([a, b], dim=1)
    for stage, mask in zip(
        ours.stages, variant_masks(VARIANTS[name], (4, 3), n_layers), strict=True
    ):
        plain = EncoderBlock(norm_first=True, activation=nn.GELU, **SIZES).double()
        plain.load_state_dict(stage.blocks[0].state_dict())
        x = plain(x, mask)
    torch.testing.assert_close(torch.cat(ours(a, b), dim=1), ours.norm(x))


def test_the_same_weights_and_other_mask_are_another_model(pair):
    """Las máscaras no son un adorno: con los mismos pesos, cada una da otra salida."""
    found = [torch.cat(encoder(name, tied=True)(*pair), dim=1) for name in MASKS]
    for i, one in enumerate(found):
        assert not any(torch.allclose(one, other) for other in found[:i])


@pytest.mark.parametrize("name", SYMMETRIC)
def test_swapping_modalities_does_not_change_the_symmetric_ones(name, pair):
    model = encoder(name)
    (there,), (back,) = model(*pair), model(*reversed(pair))
    torch.testing.assert_close(there.mean(1), back.mean(1))


@pytest.mark.parametrize("name", sorted(set(VARIANTS) - set(SYMMETRIC)))
def test_the_others_swap_if_their_weights_do(name, pair):
    def summary(model, a, b):
        return torch.stack([x.mean(1) for x in model(a, b)]).mean(0)

    model = encoder(name)
    there = summary(model, *pair)
    assert not torch.allclose(there, summary(model, *reversed(pair)))
    for stage in model.stages:
        stage.blocks = nn.ModuleList(reversed(stage.blocks))
    torch.testing.assert_close(there, summary(model, *reversed(pair)))


def test_the_sum_only_sees_the_sum(pair):
    a, b = pair
    model = encoder("suma temprana")
    shift = torch.randn_like(a)
    torch.testing.assert_close(model(a, b)[0], model(a + shift, b - shift)[0])
    assert model(a, b)[0].shape == a.shape
    with torch.no_grad():
        model.weights.copy_(torch.tensor([2.0, 0.0]))
    (only_first,) = model(a, torch.randn_like(b))
    torch.testing.assert_close(only_first, model(a, b)[0])


@pytest.mark.parametrize(("name", "place"), [("solo imagen", 0), ("solo sonido", 1)])
def test_one_modality_does_not_notice_the_other(name, place, pair):
    model = encoder(name)
    changed = list(pair)
    changed[1 - place] = torch.randn_like(pair[0])
    torch.testing.assert_close(model(*pair)[0], model(*changed)[0])
    assert not torch.allclose(model(*pair)[0], model(*reversed(pair))[0])


@pytest.mark.parametrize("name", VARIANTS | UNIMODAL)
def test_channels_maps_and_masks_agree(name, batch):
    torch.manual_seed(0)
    model = FusionClassifier(FusionConfig(name))
    assert model(*batch).shape == (3, 10)
    variant = (VARIANTS | UNIMODAL)[name]
    assert len(model.encoder(*model.tokens(*batch))) == (1 if variant.second == "todas" else 2)
    maps, masks = model.attention_maps(*batch), variant_masks(variant, model.config.lengths)
    for weights, mask in zip(maps, masks, strict=True):
        assert weights.shape[-2:] == mask.shape[-2:]
        assert torch.all(weights.masked_select(~mask) == 0)


def test_tokens_have_the_same_width_and_the_lengths_of_the_config(batch):
    model = FusionClassifier(FusionConfig("cruzada"))
    seen, heard = model.tokens(*batch)
    assert (seen.shape[1], heard.shape[1]) == model.config.lengths == (16, 16)
    assert seen.shape[2] == heard.shape[2]
    long = FusionConfig("cruzada", seconds=1.5)
    wave = 0.1 * torch.randn(1, 12_000)
    assert FusionClassifier(long).tokens(batch[0][:1], wave)[1].shape[1] == long.sound_tokens


def test_what_is_absent_does_not_matter(batch):
    model = FusionClassifier(FusionConfig("cruzada y concatenación"))
    images, waves = batch
    no_sound = torch.tensor([[True, False]]).expand(3, 2)
    found = model(images, waves, no_sound)
    torch.testing.assert_close(found, model(images, 0.1 * torch.randn(3, 8_000), no_sound))
    assert not torch.allclose(found, model(torch.rand(3, 1, 8, 8), waves, no_sound))


def test_reach_of_two_layers():
    """Con dos capas, solo quien nunca mira a la otra se queda sin ella."""
    apart = reachable(variant_masks(Variant("propia", "propia"), (2, 3)))[0, 0]
    assert apart[:2, :2].all() and not apart[:2, 2:].any() and not apart[2:, :2].any()
    for name in MASKS:
        reach = reachable(variant_masks(VARIANTS[name], (2, 3)))
        assert reach.all(), name
    once = reachable(variant_masks(VARIANTS["cruzada"], (2, 3))[:1])[0, 0]
    assert torch.equal(once[:2, :2], torch.eye(2, dtype=torch.bool)) and once[:2, 2:].all()


def test_blocks_of_each_variant():
    block = n_parameters(EncoderBlock(**SIZES))
    expected = dict(zip(VARIANTS, (2, 2, 3, 3, 4, 3), strict=True))
    for name, blocks in expected.items():
        rest = 2 * 16 + (2 if name == "suma temprana" else 0)
        assert n_parameters(encoder(name)) == blocks * block + rest, name


@pytest.mark.lento
def test_it_learns_one_batch():
    torch.manual_seed(0)
    images, waves = torch.rand(8, 1, 8, 8), 0.1 * torch.randn(8, 8_000)
    labels = torch.arange(8)
    model = FusionClassifier(FusionConfig("varios a uno"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(60):
        loss = nn.functional.cross_entropy(model(images, waves), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert torch.equal(model(images, waves).argmax(1), labels)


def test_errors():
    with pytest.raises(ValueError, match="variant='tardía': usa suma temprana"):
        FusionConfig("tardía")
    with pytest.raises(ValueError, match="n_layers=3: usa un número par"):
        encoder("cruzada", 3)
    with pytest.raises(ValueError, match="uno a uno y llegaron 4 y 3"):
        encoder("suma temprana")(torch.zeros(1, 4, 16).double(), torch.zeros(1, 3, 16).double())
    with pytest.raises(ValueError, match="no se reparte en parches"):
        FusionConfig("cruzada", image_size=9)


def test_every_modality_weighs_the_same_in_the_answer(batch):
    """Se clasifica la media de las medias: la más larga no manda, y no es su suma."""
    torch.manual_seed(0)
    model = FusionClassifier(FusionConfig("cruzada", **SIZES)).eval()
    summaries = [x.mean(dim=1) for x in model.encoder(*model.tokens(*batch))]
    expected = model.head((summaries[0] + summaries[1]) / 2)
    torch.testing.assert_close(model(*batch), expected)
