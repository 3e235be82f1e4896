"""Cuánto de la mirada cae en la caja: contado casilla a casilla."""

import torch

from tfcourse.vision.detection.looks import share_inside


def test_counted_cell_by_cell():
    """Dos filas y cuatro columnas, con centros en 1/8, 3/8, 5/8 y 7/8."""
    looks = torch.tensor([[0.1, 0.2, 0.3, 0.0, 0.05, 0.05, 0.2, 0.1]] * 3).double()
    boxes = torch.tensor(
        [[0.5, 0.25, 0.5, 0.5], [0.5, 0.5, 1.0, 1.0], [0.5, 0.5, 0.01, 0.01]]
    ).double()
    inside, size = share_inside(looks, boxes, 2, 4)
    torch.testing.assert_close(inside, torch.tensor([0.5, 1.0, 0.0]).double())
    torch.testing.assert_close(size, torch.tensor([0.25, 1.0, 0.0]).double())
