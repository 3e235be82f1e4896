"""Piezas de fusión: el bloque cruzado es el de PyTorch, y nadie mira a quien no debe."""

import pytest
import torch
from torch import nn

from tests.layers.torch_blocks import copy_attention
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.fusion import CrossBlock, FusionStage, ModalityEmbedding
from tfcourse.layers.masks import LOOKS, modality_mask

SIZES = {"d_model": 16, "n_heads": 4, "d_hidden": 24}
PRE = SIZES | {"norm_first": True, "activation": nn.GELU}
NA, NB = 3, 5
KINDS = torch.tensor([0] * NA + [1] * NB)


@pytest.fixture
def pair():
    torch.manual_seed(0)
    return (
        torch.randn(2, NA, 16, dtype=torch.float64),
        torch.randn(2, NB, 16, dtype=torch.float64),
    )


def test_cross_attention_is_that_of_torch(pair):
    a, b = pair
    block = CrossBlock(**PRE).double()
    theirs = nn.MultiheadAttention(16, 4, batch_first=True).double()
    norm = block.around_attention.norm
    with torch.no_grad():
        copy_attention(theirs, block.attention)
    torch.testing.assert_close(block.attention(a, b, b), theirs(a, b, b)[0])
    mixed, weights = theirs(norm(a), norm(b), norm(b), average_attn_weights=False)
    torch.testing.assert_close(block.attention_maps(a, memory=b), weights)
    after = a + mixed
    expected = after + block.feed_forward(block.around_feed_forward.norm(after))
    torch.testing.assert_close(block(a, memory=b), expected)


def test_without_a_memory_it_is_the_block_it_comes_from(pair):
    a, mask = pair[0], torch.ones(NA, NA, dtype=torch.bool).tril()
    block, plain = CrossBlock(**PRE).double(), EncoderBlock(**PRE).double()
    plain.load_state_dict(block.state_dict())
    torch.testing.assert_close(block(a, mask), plain(a, mask))
    torch.testing.assert_close(block.attention_maps(a, mask), plain.attention_maps(a, mask))


@pytest.mark.parametrize("look", LOOKS)
def test_with_shared_weights_a_stage_is_a_mask(look, pair):
    """Con los mismos pesos para las dos, cada etapa es un bloque corriente con su máscara."""
    stage = FusionStage(look, tied=True, **PRE).double()
    plain = EncoderBlock(**PRE).double()
    plain.load_state_dict(stage.blocks[0].state_dict())
    joined, mask = torch.cat(pair, dim=1), modality_mask(KINDS, look)
    torch.testing.assert_close(torch.cat(stage(*pair), dim=1), plain(joined, mask))
    torch.testing.assert_close(stage.attention_maps(*pair), plain.attention_maps(joined, mask))


@pytest.mark.parametrize("look", LOOKS)
def test_who_depends_on_whom(look, pair):
    """Se cambia la segunda secuencia y se mira si la primera lo nota, y al revés."""
    a, b = pair
    stage = FusionStage(look, **PRE).double()
    first, second = stage(a, b)
    noticed = not torch.allclose(stage(a, b + 1.5 * torch.randn_like(b))[0], first)
    assert noticed == (look != "propia")
    changed = stage(torch.cat([a[:, :1] + torch.randn(2, 1, 16), a[:, 1:]], dim=1), b)
    assert torch.allclose(changed[0][:, 1:], first[:, 1:]) == (look == "otra")
    assert torch.allclose(changed[1], second) == (look == "propia")


def test_untied_blocks_are_two():
    count = {look: len(list(FusionStage(look, **PRE).parameters())) for look in LOOKS}
    assert count["propia"] == count["otra"] == 2 * count["todas"]
    assert len(list(FusionStage("otra", tied=True, **PRE).parameters())) == count["todas"]


def test_maps_add_to_one_and_respect_the_mask(pair):
    for look in LOOKS:
        maps = FusionStage(look, **PRE).double().attention_maps(*pair)
        torch.testing.assert_close(maps.sum(-1), torch.ones_like(maps[..., 0]))
        assert torch.all(maps.masked_select(~modality_mask(KINDS, look)) == 0)


def test_an_absent_modality_says_nothing():
    torch.manual_seed(0)
    embedding = ModalityEmbedding(NA, 16)
    nn.init.normal_(embedding.absent)
    tokens = torch.randn(2, NA, 16)
    present = torch.tensor([True, False])
    found = embedding(tokens, present)
    assert torch.equal(found[0], embedding(tokens)[0])
    assert torch.equal(found[1], embedding(torch.randn(2, NA, 16), present)[1])
    torch.testing.assert_close(found[1] - embedding.places - embedding.modality,
                               embedding.absent.expand(NA, 16))  # fmt: skip


def test_places_start_small_and_the_absent_in_zero():
    """Como en BERT: lo que se suma al principio es poco al lado de los tokens."""
    torch.manual_seed(0)
    embedding = ModalityEmbedding(50, 64)
    for started in (embedding.places, embedding.modality):
        assert started.std().item() == pytest.approx(0.02, rel=0.3)
        assert abs(started.mean()) < 0.01
    assert not embedding.absent.any()


def test_errors():
    with pytest.raises(ValueError, match="llegaron 4 tokens y esta modalidad tiene 3 posiciones"):
        ModalityEmbedding(3, 16)(torch.zeros(1, 4, 16))
    with pytest.raises(ValueError, match="look='nadie': usa todas, propia, otra"):
        FusionStage("nadie", **PRE)
