"""Posiciones: la fórmula término a término, y lo que la hace útil."""

import math

import pytest
import torch

from tfcourse.layers.positions import LearnedPositions, SinusoidalPositions, sinusoidal_positions


def test_every_entry_follows_the_formula():
    table = sinusoidal_positions(50, 12)
    for position in (0, 1, 7, 49):
        for i in range(6):
            angle = position / 10_000 ** (2 * i / 12)
            assert table[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-5)
            assert table[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-5)


def test_similarity_depends_only_on_the_distance():
    table = sinusoidal_positions(40, 32).double()
    similarity = table @ table.T
    for distance in (0, 1, 5, 20):
        values = similarity.diagonal(distance)
        torch.testing.assert_close(values, values[:1].expand_as(values), atol=1e-5, rtol=0)


def test_moving_is_a_rotation():
    """PE(p + k) = R_k PE(p): la misma matriz para cualquier p."""
    table, step = sinusoidal_positions(30, 8).double(), 3
    fitted = torch.linalg.lstsq(table[:20], table[step : 20 + step]).solution
    torch.testing.assert_close(table[20:27] @ fitted, table[23:30], atol=1e-4, rtol=0)


@pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])
def test_positions_are_added_by_place(kind):
    layer, x = kind(10, 6), torch.randn(2, 4, 6)
    added = layer(x) - x
    torch.testing.assert_close(added[0], added[1])
    torch.testing.assert_close(layer(x)[:, :2], layer(x[:, :2]))
    assert (added[0, 0] - added[0, 1]).abs().max() > 1e-3


@pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])
def test_too_long_a_sequence_is_explained(kind):
    with pytest.raises(ValueError, match="mide 11 y el modelo solo tiene 10 posiciones"):
        kind(10, 6)(torch.randn(1, 11, 6))


def test_odd_width_is_explained():
    with pytest.raises(ValueError, match="d_model=5 es impar.*d_model=6"):
        sinusoidal_positions(3, 5)


def test_only_the_learned_ones_have_parameters():
    assert not list(SinusoidalPositions(10, 6).parameters())
    assert sum(p.numel() for p in LearnedPositions(10, 6).parameters()) == 60
    assert not SinusoidalPositions(10, 6).state_dict()
