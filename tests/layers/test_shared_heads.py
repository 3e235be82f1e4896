"""GQA, MQA y MLA: contra la multicabeza, de token en token y con la caché contada."""

import pytest
import torch

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.cache import LayerCache
from tfcourse.layers.causal import CausalSelfAttention, causal_attention
from tfcourse.layers.grouped import GroupedQueryAttention, spread_heads
from tfcourse.layers.latent import LatentAttention
from tfcourse.layers.rotary import RotaryPositions

X = torch.randn(2, 9, 32, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


@pytest.mark.parametrize("groups", [1, 2, 4, 8])
def test_it_is_multihead_attention_with_repeated_heads(groups):
    """Repetir filas de las proyecciones es el cálculo independiente."""
    torch.manual_seed(0)
    rotary = RotaryPositions(16, 4).double()
    grouped = GroupedQueryAttention(32, 8, groups, rotary).double()
    usual = CausalSelfAttention(32, 8, rotary).double()
    for name, value in grouped.state_dict().items():
        if name.startswith(("k_proj", "v_proj")):
            value = (
                value.unflatten(0, (groups, 4)).repeat_interleave(8 // groups, dim=0).flatten(0, 1)
            )
        usual.state_dict()[name].copy_(value)
    torch.testing.assert_close(grouped(X), usual(X, X, X))


def test_pytorch_spreads_the_same_way():
    q, k = torch.randn(1, 8, 5, 4), torch.randn(1, 2, 5, 4)
    pytorch = torch.nn.functional.scaled_dot_product_attention(
        q, k, k, is_causal=True, enable_gqa=True
    )
    spread = spread_heads(k, 8)
    torch.testing.assert_close(causal_attention(q, spread, spread), pytorch)


@pytest.mark.parametrize("groups", [1, 2, 8])
def test_grouped_reads_token_by_token(groups):
    layer = GroupedQueryAttention(32, 8, groups, RotaryPositions(16, 4)).double()
    cache = LayerCache(9)
    pieces = [layer(X[:, t : t + 1], cache) for t in range(9)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), layer(X))
    assert cache.keys.nbytes + cache.values.nbytes == 8 * 2 * 2 * 9 * groups * 4


def latent(d_latent=6):
    torch.manual_seed(1)
    return LatentAttention(32, 4, 8, d_latent, 4, max_length=16).double()


def test_absorbing_changes_nothing():
    layer = latent()
    torch.testing.assert_close(layer(X, absorb=True), layer(X))
    unfolded, absorbed = (
        torch.autograd.grad(layer(X, absorb=flag).square().sum(), list(layer.parameters()))
        for flag in (False, True)
    )
    torch.testing.assert_close(unfolded, absorbed)


@pytest.mark.parametrize("absorb", [False, True])
def test_latent_reads_token_by_token(absorb):
    layer, cache = latent(), LayerCache(9)
    pieces = [layer(X[:, :4], cache, absorb=absorb)]
    pieces += [layer(X[:, t : t + 1], cache, absorb=absorb) for t in range(4, 9)]
    torch.testing.assert_close(torch.cat(pieces, dim=1), layer(X))
    assert cache.keys.nbytes + cache.values.nbytes == 8 * 2 * 9 * (6 + 4)  # sin las cabezas


def test_a_latent_as_wide_as_the_model_is_multihead_attention():
    """Con el latente entero y sin la parte rotatoria, es la multicabeza causal."""
    layer = latent(d_latent=32)
    with torch.no_grad():
        layer.down_proj.weight[:32] = torch.eye(32)
        layer.down_proj.weight[32:] = 0
    usual = MultiHeadAttention(32, 4, causal_attention).double()
    scale = (8 / 12) ** 0.5  # la multicabeza divide entre √8 y esta, entre √(8 + 4)
    q_rows = layer.q_proj.weight.unflatten(0, (4, 12))[:, :8].flatten(0, 1)
    with torch.no_grad():
        for module in (usual.q_proj, usual.k_proj, usual.v_proj, usual.out_proj):
            module.bias.zero_()
        usual.q_proj.weight.copy_(scale * q_rows)
        usual.k_proj.weight.copy_(layer.key_up.weight)
        usual.v_proj.weight.copy_(layer.value_up.weight)
        usual.out_proj.weight.copy_(layer.out_proj.weight)
    torch.testing.assert_close(layer(X), usual(X, X, X))


def test_the_position_of_a_latent_counts():
    layer = latent()
    moved = layer(X.flip(1))
    assert not torch.allclose(moved[:, -1], layer(X)[:, -1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GroupedQueryAttention(32, 8, 3), "n_kv_heads=3"),
        (lambda: GroupedQueryAttention(30, 8, 2), "d_model=30"),
        (lambda: spread_heads(torch.zeros(1, 3, 2, 4), 8), "3 grupos"),
        (lambda: LatentAttention(32, 4, 8, 6, 3, 16), "d_rotary=3"),
        (lambda: LatentAttention(32, 4, 8, 0, 4, 16), "d_latent=0"),
    ],
)
def test_sizes_are_explained(make, message):
    with pytest.raises(ValueError, match=message):
        make()
