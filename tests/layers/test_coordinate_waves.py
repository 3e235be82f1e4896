"""Posiciones de una imagen: las de DETR, y sus propiedades."""

import math

import pytest
import torch

from tfcourse.layers.image.coordinate_waves import cell_centers, coordinate_waves, grid_waves


def test_parity_with_the_positions_of_detr():
    from transformers.models.detr.modeling_detr import DetrSinePositionEmbedding

    reference = DetrSinePositionEmbedding(16, normalize=True)
    theirs = reference((1, 32, 5, 7), "cpu", torch.float32)[0].flatten(1).T
    torch.testing.assert_close(grid_waves(5, 7, 32), theirs, atol=2e-5, rtol=0)


def test_waves_by_hand():
    x = torch.tensor([0.25], dtype=torch.float64)
    waves = coordinate_waves(x, 4, temperature=100.0)
    angle = 2 * math.pi * 0.25
    wanted = [math.sin(angle), math.cos(angle), math.sin(angle / 10), math.cos(angle / 10)]
    assert waves.tolist() == pytest.approx(wanted)


def test_cells_go_by_rows():
    assert cell_centers(2, 4)[1].tolist() == [0.375, 0.25]
    assert cell_centers(2, 4)[4].tolist() == [0.125, 0.75]


def test_each_half_tells_one_axis():
    table = grid_waves(4, 6, 16).view(4, 6, 16)
    assert torch.equal(table[:, 0, :8], table[:, 5, :8])  # la fila, en la primera mitad
    assert torch.equal(table[0, :, 8:], table[3, :, 8:])
    flat = table.view(24, 16)
    assert (torch.cdist(flat, flat) + 9 * torch.eye(24)).min() > 0.05


def test_sizes_are_checked():
    with pytest.raises(ValueError, match="d_model=30 no es múltiplo de 4"):
        grid_waves(2, 2, 30)
    with pytest.raises(ValueError, match="d_each=3 tiene que ser par"):
        coordinate_waves(torch.zeros(2), 3)
