"""Posiciones en una imagen: senos por ejes, interpolación exacta y errores de uso."""

import pytest
import torch

from tfcourse.layers.image.image_positions import (
    FixedPositions,
    resize_positions,
    sinusoidal_positions_2d,
)
from tfcourse.layers.positions import sinusoidal_positions


def test_half_says_the_row_and_half_the_column():
    table = sinusoidal_positions_2d(3, 5, 16).view(3, 5, 16)
    for row in range(3):
        for column in range(5):
            expected = torch.cat(
                [sinusoidal_positions(3, 8)[row], sinusoidal_positions(5, 8)[column]]
            )
            torch.testing.assert_close(table[row, column], expected)


def test_the_product_depends_on_the_distance_along_each_axis():
    table = sinusoidal_positions_2d(5, 5, 16).double().view(5, 5, 16)
    here, there = table[1, 1] @ table[2, 3], table[2, 0] @ table[3, 2]
    torch.testing.assert_close(here, there, atol=1e-6, rtol=0)


def test_the_same_grid_is_exact_and_the_class_token_never_moves():
    torch.manual_seed(0)
    table = torch.randn(17, 6)
    assert torch.equal(resize_positions(table, (4, 4), (4, 4)), table)
    wider = resize_positions(table, (4, 4), (7, 5))
    assert wider.shape == (36, 6) and torch.equal(wider[0], table[0])
    # Las esquinas se conservan: los extremos de una rejilla caen en los de la otra.
    old, new = table[1:].view(4, 4, 6), wider[1:].view(7, 5, 6)
    torch.testing.assert_close(new[0, 0], old[0, 0])
    torch.testing.assert_close(new[-1, -1], old[-1, -1])
    torch.testing.assert_close(new[0, -1], old[0, -1])


def test_a_ramp_stays_a_ramp_and_rows_do_not_become_columns():
    rows = torch.arange(4.0)[:, None].expand(4, 4).flatten()
    table = torch.stack([rows, torch.ones(16)], dim=-1)
    new = resize_positions(table, (4, 4), (7, 4)).view(7, 4, 2)
    torch.testing.assert_close(new[..., 1], torch.ones(7, 4))
    assert new[:, :, 0].diff(dim=0).min() > 0 and new[:, :, 0].diff(dim=1).abs().max() < 1e-6


def test_same_as_torchvision():
    vision = pytest.importorskip("torchvision.models.vision_transformer")
    torch.manual_seed(0)
    state = {"encoder.pos_embedding": torch.randn(1, 17, 8)}
    theirs = vision.interpolate_embeddings(96, 16, dict(state))["encoder.pos_embedding"][0]
    ours = resize_positions(state["encoder.pos_embedding"][0], (4, 4), (6, 6))
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=0)


def test_fixed_positions_leave_the_class_token():
    table = torch.randn(4, 8)
    x = torch.zeros(2, 5, 8)
    found = FixedPositions(table)(x)
    assert torch.equal(found[:, 0], x[:, 0]) and torch.equal(found[1, 1:], table)


def test_bad_sizes_are_explained():
    with pytest.raises(ValueError, match="d_model=6.*d_model=8"):
        sinusoidal_positions_2d(2, 2, 6)
    with pytest.raises(ValueError, match="tiene 20 filas y la rejilla 4 × 4 son 16"):
        resize_positions(torch.zeros(20, 4), (4, 4), (5, 5))
    with pytest.raises(ValueError, match="hay 3 tokens y 4 posiciones"):
        FixedPositions(torch.zeros(4, 8))(torch.zeros(1, 3, 8))
