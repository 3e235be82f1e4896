"""Posiciones rotatorias: el giro, la distancia y la paridad con transformers."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.layers.rotary import RotaryPositions, rotary_angles, rotate

DOUBLE = torch.float64


def turned(x, place, base=10_000.0):
    """Un vector girado como si estuviera en una posición, con la cuenta del artículo, a mano."""
    half = len(x) // 2
    out = x.clone()
    for i in range(half):
        angle = place * base ** (-2 * i / len(x))
        out[i] = x[i] * math.cos(angle) - x[i + half] * math.sin(angle)
        out[i + half] = x[i] * math.sin(angle) + x[i + half] * math.cos(angle)
    return out


def test_each_pair_turns_by_its_own_angle():
    x = torch.randn(2, 3, 5, 8, dtype=DOUBLE, generator=torch.Generator().manual_seed(0))
    rotary = RotaryPositions(16, 8).double()
    rotary.cos, rotary.sin = (f(rotary_angles(16, 8)) for f in (torch.cos, torch.sin))
    got = rotary(x, start=4)
    for place in range(5):
        torch.testing.assert_close(got[1, 2, place], turned(x[1, 2, place], 4 + place))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 60), st.integers(0, 1000))
def test_the_score_depends_only_on_the_distance(m, n, shift, seed):
    q, k = torch.randn(2, 8, dtype=DOUBLE, generator=torch.Generator().manual_seed(seed))
    angles = rotary_angles(101, 8)

    def at(x, place):
        return rotate(x[None], angles.cos()[place : place + 1], angles.sin()[place : place + 1])[0]

    here, there = at(q, m) @ at(k, n), at(q, m + shift) @ at(k, n + shift)
    torch.testing.assert_close(here, there)
    torch.testing.assert_close(at(q, m).norm(), q.norm())


@pytest.mark.parametrize("family", ["llama", "gpt_neox"])
def test_same_as_transformers(family):
    transformers = pytest.importorskip("transformers")
    sizes = {"hidden_size": 32, "num_attention_heads": 4, "max_position_embeddings": 64}
    if family == "llama":
        from transformers.models.llama import modeling_llama as module

        config = transformers.LlamaConfig(**sizes, num_key_value_heads=4)
        reference = module.LlamaRotaryEmbedding(config)
    else:
        from transformers.models.gpt_neox import modeling_gpt_neox as module

        config = transformers.GPTNeoXConfig(**sizes, rotary_pct=1.0)
        reference = module.GPTNeoXRotaryEmbedding(config)
    x = torch.randn(2, 4, 10, 8, generator=torch.Generator().manual_seed(0))
    cos, sin = reference(x, torch.arange(3, 13)[None].expand(2, -1))
    expected, _ = module.apply_rotary_pos_emb(x, x, cos, sin)
    torch.testing.assert_close(RotaryPositions(64, 8)(x, start=3), expected)


def test_nothing_to_learn_and_spanish_errors():
    rotary = RotaryPositions(8, 4)
    assert not list(rotary.parameters()) and not rotary.state_dict()
    with pytest.raises(ValueError, match="d_head=5 es impar.* p. ej. 6"):
        RotaryPositions(8, 5)
    rotary(torch.zeros(1, 1, 3, 4), start=5)  # la 7 es la última, y todavía está
    with pytest.raises(ValueError, match="la posición 8 y solo hay 8"):
        rotary(torch.zeros(1, 1, 3, 4), start=6)
