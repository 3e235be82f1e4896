"""La pirámide y la atención enmascarada: como las de transformers, y lo que prometen."""

import pytest
import torch
from torch import nn

from tfcourse.layers.image.segmentation_blocks import MaskedDecoderBlock, PixelDecoder
from tfcourse.layers.masks import foreground_mask


def without_norms(module):
    """Quita las normalizaciones, que es lo único en lo que no coincidimos (lote y grupos)."""
    for name, child in module.named_children():
        if isinstance(child, nn.BatchNorm2d | nn.GroupNorm):
            setattr(module, name, nn.Identity())
        else:
            without_norms(child)
    return module.double()


def test_the_pyramid_is_the_one_of_maskformer():
    from transformers.models.maskformer.modeling_maskformer import MaskFormerFPNModel

    torch.manual_seed(0)
    theirs = without_norms(MaskFormerFPNModel(12, [4, 8], feature_size=32))
    for block in (theirs.stem, *(layer.block for layer in theirs.layers)):
        block.layers[1] = nn.Identity()  # también en la lista que recorre
    ours = without_norms(PixelDecoder([4, 8, 12], 32))
    ours.top[0].weight.data = theirs.stem.layers[0].weight.data
    for i, layer in enumerate(theirs.layers):
        ours.lateral[i][0].weight.data = layer.proj[0].weight.data
        ours.smooth[i][0].weight.data = layer.block.layers[0].weight.data
    assert len(list(theirs.parameters())) == len(list(ours.parameters()))
    maps = [torch.rand(2, k, 2**e, 2**e, dtype=torch.float64) for k, e in ((4, 5), (8, 4), (12, 3))]
    for own, wanted in zip(ours(maps)[1:], theirs(maps), strict=True):
        torch.testing.assert_close(own, wanted)


def test_what_is_far_reaches_every_floor():
    """Al cambiar el mapa más tosco cambian todos; al cambiar el más fino, solo el último."""
    torch.manual_seed(0)
    decoder = PixelDecoder([4, 8, 12], 16).eval()
    maps = [torch.rand(1, 4, 16, 16), torch.rand(1, 8, 8, 8), torch.rand(1, 12, 4, 4)]
    before = decoder(maps)
    assert [level.shape[-1] for level in before] == [4, 8, 16]
    for changed, moved in ((2, [True, True, True]), (0, [False, False, True])):
        other = [m + 1 if i == changed else m for i, m in enumerate(maps)]
        after = decoder(other)
        assert [not torch.equal(a, b) for a, b in zip(before, after, strict=True)] == moved


def reference_block():
    from transformers import Mask2FormerConfig
    from transformers.models.mask2former.modeling_mask2former import (
        Mask2FormerMaskedAttentionDecoderLayer,
    )

    config = Mask2FormerConfig(
        hidden_dim=16, num_attention_heads=2, dim_feedforward=33, dropout=0.0,
        backbone_config={"model_type": "swin"},
    )  # fmt: skip
    return Mask2FormerMaskedAttentionDecoderLayer(config).double().eval()


def copy_block(theirs, ours):
    """Los pesos de la referencia: su atención cruzada es la de `nn.MultiheadAttention`."""
    crossed = theirs.cross_attn
    for i, name in enumerate(("q_proj", "k_proj", "v_proj")):
        layer = getattr(ours.cross_attention, name)
        layer.weight.data = crossed.in_proj_weight.data.chunk(3)[i].clone()
        layer.bias.data = crossed.in_proj_bias.data.chunk(3)[i].clone()
        own = getattr(ours.attention, name)
        own.load_state_dict(getattr(theirs.self_attn, name).state_dict())
    ours.cross_attention.out_proj.load_state_dict(crossed.out_proj.state_dict())
    ours.attention.out_proj.load_state_dict(theirs.self_attn.out_proj.state_dict())
    ours.feed_forward.hidden.load_state_dict(theirs.fc1.state_dict())
    ours.feed_forward.output.load_state_dict(theirs.fc2.state_dict())
    for target, source in (
        (ours.around_cross_attention, theirs.cross_attn_layer_norm),
        (ours.around_attention, theirs.self_attn_layer_norm),
        (ours.around_feed_forward, theirs.final_layer_norm),
    ):
        target.norm.load_state_dict(source.state_dict())


def test_the_block_is_the_one_of_mask2former():
    torch.manual_seed(0)
    theirs = reference_block()
    ours = MaskedDecoderBlock(16, 2, 33, norm=nn.LayerNorm).double()
    copy_block(theirs, ours)
    x, memory = torch.randn(2, 5, 16).double(), torch.randn(2, 9, 16).double()
    places, positions = torch.randn(5, 16).double(), torch.randn(9, 16).double()
    mask = torch.rand(2, 1, 5, 9) > 0.4
    mask[..., 0] = True
    # La referencia va con la secuencia delante y con True en lo que no se mira, cabeza a cabeza.
    forbidden = ~mask.expand(-1, 2, -1, -1).flatten(0, 1)
    with torch.no_grad():
        wanted = theirs(
            x.transpose(0, 1),
            level_index=0,
            encoder_attention_mask=forbidden,
            position_embeddings=[positions[:, None].expand(-1, 2, -1)],
            query_position_embeddings=places[:, None].expand(-1, 2, -1),
            encoder_hidden_states=[memory.transpose(0, 1)],
        )[0]
        found = ours(x, memory, memory_mask=mask, query_positions=places, positions=positions)
    torch.testing.assert_close(found, wanted.transpose(0, 1))


def test_nothing_outside_the_mask_counts():
    torch.manual_seed(0)
    block = MaskedDecoderBlock(8, 2, 16).double()
    x, places = torch.randn(1, 3, 8).double(), torch.zeros(3, 8).double()
    memory, positions = torch.randn(1, 6, 8).double(), torch.zeros(6, 8).double()
    mask = torch.ones(1, 1, 3, 6, dtype=torch.bool)
    mask[..., 4] = False
    other = memory.clone()
    other[:, 4] += 10
    where = {"query_positions": places, "positions": positions}
    torch.testing.assert_close(
        block(x, memory, memory_mask=mask, **where), block(x, other, memory_mask=mask, **where)
    )
    assert not torch.allclose(block(x, memory, **where), block(x, other, **where))


def test_the_mask_is_the_foreground_and_never_empty():
    logits = torch.full((1, 2, 8, 8), -3.0)
    logits[0, 0, :4, :4] = 3.0
    mask = foreground_mask(logits, (4, 4))
    assert mask.shape == (1, 1, 2, 16) and mask.dtype == torch.bool
    wanted = torch.zeros(4, 4, dtype=torch.bool)
    wanted[:2, :2] = True
    assert torch.equal(mask[0, 0, 0].view(4, 4), wanted)
    assert mask[0, 0, 1].all()  # la que no señala nada lo mira todo


def test_more_than_half_a_chance_is_inside():
    """Con el logit a un lado y otro de cero, que es una probabilidad de la mitad."""
    logits = torch.tensor([0.51, 0.49, 0.4, 0.6]).logit().view(1, 1, 2, 2)
    assert foreground_mask(logits, (2, 2)).flatten().tolist() == [True, False, False, True]


def test_the_mask_carries_no_gradient():
    logits = torch.randn(1, 2, 8, 8, requires_grad=True)
    assert not foreground_mask(logits, (4, 4)).requires_grad


@pytest.mark.parametrize("floors", [1, 2, 3])
def test_as_many_floors_as_maps(floors):
    decoder = PixelDecoder([4] * floors, 8)
    maps = [torch.rand(2, 4, 2 ** (5 - i), 2 ** (5 - i)) for i in range(floors)]
    assert [level.shape for level in decoder(maps)] == [(2, 8, *m.shape[2:]) for m in maps[::-1]]
