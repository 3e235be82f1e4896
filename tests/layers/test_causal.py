"""Autoatención causal y su caché."""

import pytest
import torch

from tfcourse.layers.attention import MultiHeadAttention, attention
from tfcourse.layers.cache import KVCache, LayerCache
from tfcourse.layers.causal import CausalSelfAttention, causal_attention
from tfcourse.layers.masks import causal_mask, padding_mask
from tfcourse.layers.rotary import RotaryPositions

DOUBLE = torch.float64


@pytest.mark.parametrize("n_queries", [1, 3, 7])
def test_same_as_the_formula_with_a_mask(n_queries):
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(2, 4, 7, 5, dtype=DOUBLE, generator=generator) for _ in range(3))
    q = q[:, :, -n_queries:]
    expected = attention(q, k, v, mask=causal_mask(n_queries, 7))
    torch.testing.assert_close(causal_attention(q, k, v), expected)


@pytest.mark.parametrize("n_queries", [1, 3, 7])
def test_a_mask_and_a_bias_count_as_in_any_kernel(n_queries):
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(2, 4, 7, 5, dtype=DOUBLE, generator=generator) for _ in range(3))
    bias = torch.randn(4, n_queries, 7, dtype=DOUBLE, generator=generator)
    q, mask = q[:, :, -n_queries:], padding_mask(torch.tensor([7, 5]), 7)
    both = mask & causal_mask(n_queries, 7)
    for options in ({"mask": mask}, {"bias": bias}, {"mask": mask, "bias": bias}):
        limits = options | {"mask": both if "mask" in options else causal_mask(n_queries, 7)}
        expected = attention(q, k, v, **limits)
        torch.testing.assert_close(causal_attention(q, k, v, **options), expected)


def test_without_positions_it_is_multi_head_attention():
    torch.manual_seed(0)
    layer = CausalSelfAttention(16, 4).double()
    plain = MultiHeadAttention(16, 4).double()
    plain.load_state_dict(layer.state_dict())
    x = torch.randn(2, 6, 16, dtype=DOUBLE)
    torch.testing.assert_close(layer(x, x, x), plain(x, x, x, mask=causal_mask(6)))
    expected = plain.attention_maps(x, x, mask=causal_mask(6))
    torch.testing.assert_close(layer.attention_maps(x, x), expected)
    visible = padding_mask(torch.tensor([6, 4]), 6)
    expected = plain(x, x, x, mask=visible & causal_mask(6))
    torch.testing.assert_close(layer(x, x, x, mask=visible), expected)
    expected = plain.attention_maps(x, x, mask=visible & causal_mask(6))
    torch.testing.assert_close(layer.attention_maps(x, x, mask=visible), expected)


@pytest.mark.parametrize("parts", [(6,), (1,) * 6, (2, 3, 1), (5, 1)])
@pytest.mark.parametrize("rotary", [False, True])
def test_reading_by_parts_is_reading_at_once(parts, rotary):
    torch.manual_seed(0)
    layer = CausalSelfAttention(16, 4, RotaryPositions(8, 4) if rotary else None).double()
    x, cache = torch.randn(2, 6, 16, dtype=DOUBLE), LayerCache(8)
    pieces = [layer(y, y, y, cache=cache) for y in x.split(parts, dim=1)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), layer(x, x, x))
    assert cache.length == 6


def test_the_maps_are_those_of_the_rotated_heads():
    torch.manual_seed(0)
    layer = CausalSelfAttention(16, 4, RotaryPositions(8, 4)).double()
    x = torch.randn(1, 6, 16, dtype=DOUBLE)
    v = layer.split(layer.v_proj(x))
    mixed = layer.out_proj((layer.attention_maps(x, x) @ v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(mixed, layer(x, x, x))


def test_fewer_queries_are_the_last_positions():
    torch.manual_seed(0)
    layer = CausalSelfAttention(16, 4, RotaryPositions(8, 4)).double()
    x = torch.randn(1, 6, 16, dtype=DOUBLE)
    torch.testing.assert_close(layer(x[:, 4:], x, x), layer(x, x, x)[:, 4:])
    last = layer.attention_maps(x, x)[:, :, 4:]
    torch.testing.assert_close(layer.attention_maps(x[:, 4:], x), last)


def test_a_full_cache_says_so_and_rows_can_be_chosen():
    cache = KVCache(2, 4)
    assert cache.length == 0 and cache.nbytes() == 0
    assert cache.select(torch.tensor([0])).length == 0
    k = torch.arange(24.0).view(2, 1, 3, 4)
    for layer in cache.layers:
        layer.extend(k, -k)
    assert cache.nbytes() == 2 * 2 * (2 * 1 * 4 * 4) * 4
    chosen = cache.select(torch.tensor([1, 1, 0]))
    chosen.layers[0].extend(k[:1, :, :1].expand(3, -1, -1, -1), k[:1, :, :1].expand(3, -1, -1, -1))
    keys = chosen.layers[0].keys
    torch.testing.assert_close(keys[:, :, :3], k[[1, 1, 0]])
    assert cache.length == 3 and chosen.layers[0].length == 4
    with pytest.raises(ValueError, match="tiene 4 sitios y la secuencia llega a 6"):
        cache.layers[0].extend(k, k)
