"""Despliegue de la atención: un caso hecho a mano, propiedades y errores de uso."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.layers.image.rollout import attention_rollout


def test_two_layers_by_hand():
    # Capa 1: dos cabezas, de media [[0,5; 0,5], [0; 1]]. Capa 2: el primero mira solo al segundo.
    first = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]])
    second = torch.tensor([[[0.0, 1.0], [0.0, 1.0]]] * 2)
    # Con la identidad a medias: A₁ = [[0,75; 0,25], [0; 1]] y A₂ = [[0,5; 0,5], [0; 1]].
    expected = torch.tensor([[0.375, 0.625], [0.0, 1.0]])
    torch.testing.assert_close(attention_rollout([first, second]), expected)
    # El orden importa: al revés saldría [[0,375; 0,625], …] con otros números.
    assert not torch.equal(
        attention_rollout([torch.tensor([[[0.0, 1.0], [1.0, 0.0]]]), first[1:]], 0.0),
        attention_rollout([first[1:], torch.tensor([[[0.0, 1.0], [1.0, 0.0]]])], 0.0),
    )
    torch.testing.assert_close(
        attention_rollout([first[1:], torch.tensor([[[0.0, 1.0], [1.0, 0.0]]])], 0.0),
        torch.tensor([[0.0, 1.0], [0.0, 1.0]]),
    )


@given(st.integers(1, 4), st.integers(1, 3), st.integers(2, 6), st.floats(0, 1))
def test_rows_sum_to_one(layers, heads, length, residual):
    maps = [torch.randn(2, heads, length, length).softmax(-1) for _ in range(layers)]
    total = attention_rollout(maps, residual)
    assert total.min() >= 0
    torch.testing.assert_close(total.sum(-1), torch.ones(2, length), atol=1e-5, rtol=0)


def test_the_limits():
    maps = [torch.randn(3, 5, 5).softmax(-1) for _ in range(4)]
    assert torch.equal(attention_rollout(maps, 1.0), torch.eye(5))
    torch.testing.assert_close(attention_rollout(maps[:1], 0.0), maps[0].mean(0))


def test_batches_are_independent():
    maps = [torch.randn(2, 3, 4, 4).softmax(-1) for _ in range(2)]
    whole = attention_rollout(maps)
    torch.testing.assert_close(whole[1], attention_rollout([m[1] for m in maps]))


def test_bad_maps_are_explained():
    with pytest.raises(ValueError, match="hace falta uno por capa"):
        attention_rollout([])
    with pytest.raises(ValueError, match="todos cuadrados"):
        attention_rollout([torch.ones(1, 2, 2), torch.ones(1, 3, 3)])
    with pytest.raises(ValueError, match="residual=1.5"):
        attention_rollout([torch.ones(1, 2, 2)], 1.5)
