"""Ventana y sumideros: contra su máscara, de token en token, y con la caché quieta."""

import pytest
import torch

from tests.layers.kernels import H, L, assert_same, padding, relation, tensors
from tfcourse.layers.attention import attention
from tfcourse.layers.kernels.partial import partial_attention
from tfcourse.layers.kernels.sinks import SinkAttention, SinkCache, learned_sink
from tfcourse.layers.masks import causal_mask


def rule(i, j):
    return j <= i and (i - j <= 5 or j < 3)


@pytest.mark.parametrize("padded", [False, True])
def test_sinks_equal_a_mask_over_every_pair(padded):
    pad = padding() if padded else None
    assert_same(SinkAttention(5, 3), *tensors(), relation(rule), pad)
    assert_same(SinkAttention(L, 3), *tensors(), causal_mask(L), pad)


def test_token_by_token_the_cache_stops_growing():
    q, k, v = (x.detach() for x in tensors())
    whole, cache, sizes = SinkAttention(5, 3)(q, k, v), SinkCache(5, 3), []
    for t in range(L):
        keys, values = cache.extend(k[:, :, t : t + 1], v[:, :, t : t + 1])
        torch.testing.assert_close(
            attention(q[:, :, t : t + 1], keys, values)[:, :, 0], whole[:, :, t]
        )
        sizes.append(cache.nbytes())
    assert cache.length == L and sizes[8] == sizes[-1] > sizes[7]
    assert cache.keys.shape[-2] == 3 + 5 + 1
    with pytest.raises(ValueError, match="de uno en uno"):
        cache.extend(k[:, :, :2], v[:, :, :2])


def test_the_learned_sink_is_one_more_key_worth_nothing():
    q, k, v = tensors()
    logit = torch.tensor([0.5, 3.0, -1.0], dtype=torch.float64)
    found = learned_sink(*partial_attention(q, k, v, mask=causal_mask(L)), logit)
    scores = (q @ k.mT / 8**0.5).masked_fill(~causal_mask(L), -torch.inf)
    extra = logit[None, :, None, None].expand(2, H, L, 1)
    weights = torch.cat([scores, extra], dim=-1).softmax(-1)[..., :-1]
    torch.testing.assert_close(found, weights @ v)


def test_sizes_are_explained():
    for sizes in ((0, 1), (4, 0)):
        with pytest.raises(ValueError, match="positiv|al menos"):
            SinkAttention(*sizes)
        with pytest.raises(ValueError, match="positiv|al menos"):
            SinkCache(*sizes)
