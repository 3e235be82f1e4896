"""Bloques de un detector: sin posiciones son los del Transformer; y la cabeza de una consulta."""

import pytest
import torch
from torch import nn
from transformers import ConditionalDetrConfig
from transformers.models.conditional_detr.modeling_conditional_detr import (
    ConditionalDetrDecoderCrossAttention,
)

from tfcourse.layers.blocks import DecoderBlock, EncoderBlock
from tfcourse.layers.image.anchors import TEMPERATURE, SpatialBias
from tfcourse.layers.image.coordinate_waves import cell_centers, coordinate_waves
from tfcourse.layers.image.detection_blocks import (
    ImageEncoderBlock,
    ObjectDecoderBlock,
    QueryHead,
    SeparatedDecoderBlock,
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


def separated_case():
    """Un bloque que separa, la atención de Conditional DETR con sus mismos pesos, y qué reciben."""
    torch.manual_seed(0)
    block, spatial = SeparatedDecoderBlock(**SIZE).double(), SpatialBias(12, 3).double()
    config = ConditionalDetrConfig(attn_implementation="eager")
    theirs = ConditionalDetrDecoderCrossAttention(config, 12, 3).double()
    ours = block.cross_attention
    with torch.no_grad():
        for name, layer, factor in (
            ("q_content_proj", ours.q_proj, 2**0.5),  # la suya divide entre la raíz del doble
            ("k_content_proj", ours.k_proj, 1),
            ("v_proj", ours.v_proj, 1),
            ("o_proj", ours.out_proj, 1),
            ("q_pos_sine_proj", spatial.q_proj, 2**0.5),
            ("k_pos_proj", spatial.k_proj, 1),
        ):
            getattr(theirs, name).weight.copy_(factor * layer.weight)
            getattr(theirs, name).bias.copy_(factor * layer.bias)
    anchors, cells = torch.rand(2, 4, 4).double(), cell_centers(2, 3).double()
    return block, spatial, theirs, anchors, cells


def test_parity_with_the_separated_attention_of_transformers(pair):
    """Pegar contenido y posición en cada cabeza (Meng et al., 2021) es sumar los dos productos."""
    x, memory = pair
    block, spatial, theirs, anchors, cells = separated_case()
    y = block.around_cross_attention.seen(x)
    bias = spatial(y, anchors, cells)
    asked, offered = block.compared(y, memory, torch.rand(2, 4, 12).double(), torch.rand(6, 12))
    ours = block.cross_attention(asked, offered, memory, bias=bias)
    waves = coordinate_waves(anchors[..., :2], 6, TEMPERATURE) * spatial.scale(y)
    places = coordinate_waves(cells, 6, TEMPERATURE).expand(2, -1, -1)
    expected, weights = theirs(y, memory, waves, places)
    torch.testing.assert_close(ours, expected)
    maps = block.attention_maps(x, memory, query_positions=1.0, positions=2.0, bias=bias)
    # Las posiciones no entran en lo que se compara: solo en cómo se hablan las consultas.
    seen = block.around_cross_attention.seen(block.talk(x, 1.0))
    again = theirs(seen, memory, waves, places)[1]
    torch.testing.assert_close(maps.cross, again)
    assert weights.shape == again.shape


def test_the_summed_product_has_four_crossings(pair):
    """El de DETR se reparte en cuatro; el separado se queda con el de los contenidos."""
    x, memory = pair
    places, there = torch.randn(2, 4, 12).double(), torch.randn(6, 12).double()
    for kind, kept in ((ObjectDecoderBlock, 4), (SeparatedDecoderBlock, 1)):
        torch.manual_seed(0)
        block = kind(**SIZE).double()
        asked, offered = block.compared(x, memory, places, there)
        q, k = block.cross_attention.q_proj.weight, block.cross_attention.k_proj.weight
        crossings = [(a @ q.T) @ (b @ k.T).mT for a in (x, places) for b in (memory, there)]
        torch.testing.assert_close((asked @ q.T) @ (offered @ k.T).mT, sum(crossings[:kept]))
