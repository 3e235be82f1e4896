"""El sesgo relativo: las mismas cubetas que la biblioteca, y solo depende de la distancia."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.layers.attention import attention
from tfcourse.layers.relative_bias import RelativeBias, relative_bucket


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("n_buckets, max_distance", [(32, 128), (8, 20), (16, 64)])
def test_the_same_buckets_as_the_library(bidirectional, n_buckets, max_distance):
    from transformers.models.t5.modeling_t5 import T5Attention

    offset = torch.arange(-300, 301)
    options = {"bidirectional": bidirectional, "max_distance": max_distance}
    expected = T5Attention._relative_position_bucket(offset, num_buckets=n_buckets, **options)
    found = relative_bucket(offset, n_buckets=n_buckets, **options)
    torch.testing.assert_close(found, expected)


def bucket_by_hand(offset, n_buckets, max_distance):
    """En las dos direcciones, con los números de Python."""
    per_side, n_exact = n_buckets // 2, n_buckets // 4
    distance, first = abs(offset), n_buckets // 2 if offset > 0 else 0
    if distance < n_exact:
        return first + distance
    fraction = math.log(distance / n_exact) / math.log(max_distance / n_exact)
    return first + min(per_side - 1, n_exact + int(fraction * (per_side - n_exact) + 1e-6))


@given(st.integers(-500, 500))
def test_the_same_buckets_as_by_hand(offset):
    found = int(relative_bucket(torch.tensor([offset])))
    assert found == bucket_by_hand(offset, 32, 128)


@given(st.integers(1, 400), st.integers(1, 60))
def test_further_is_never_an_earlier_bucket(distance, more):
    for sign in (-1, 1):
        near, far = relative_bucket(torch.tensor([sign * distance, sign * (distance + more)]))
        assert near <= far


@given(st.integers(1, 9), st.integers(0, 9))
def test_moving_both_changes_nothing(n_queries, extra):
    """El sesgo de (consulta, clave) solo depende de su diferencia; las últimas son las últimas."""
    bias = RelativeBias(2, bidirectional=False)
    whole = bias(n_queries + extra)
    torch.testing.assert_close(bias(n_queries, n_queries + extra), whole[:, :, extra:])
    torch.testing.assert_close(bias(n_queries), whole[:, :, extra:, extra:])


def test_it_plugs_into_attention():
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 2, 4, 5, 6, dtype=torch.float64)
    bias = RelativeBias(4).double()
    weights = (q @ k.mT / math.sqrt(6) + bias(5)).softmax(-1)
    torch.testing.assert_close(attention(q, k, v, bias=bias(5)), weights @ v)


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="n_buckets=2 y max_distance=128 no encajan"):
        relative_bucket(torch.tensor([1]), n_buckets=2)
    with pytest.raises(ValueError, match="n_buckets=7 .* cubetas pares"):
        relative_bucket(torch.tensor([1]), n_buckets=7)
    with pytest.raises(ValueError, match="max_distance=8 no encajan"):
        relative_bucket(torch.tensor([1]), max_distance=8)
    with pytest.raises(ValueError, match="n_keys=2 es menor que n_queries=3"):
        RelativeBias(2)(3, 2)
