"""Recortes: los puntos vuelven a su sitio, y lo que se ve en el recorte es lo que había."""

import pytest
import torch

from tfcourse.geometry.crops import MARGIN, Squares, crop_boxes, squares_around


def test_points_go_and_come_back():
    g = torch.Generator().manual_seed(0)
    boxes = 0.2 + 0.5 * torch.rand(6, 4, generator=g)
    squares, points = squares_around(boxes), torch.rand(6, 13, 2, generator=g)
    torch.testing.assert_close(squares.out_of(squares.into(points)), points)
    torch.testing.assert_close(squares.sides, MARGIN * boxes[:, 2:].amax(1))
    corners = (boxes[:, :2] - squares.sides[:, None] / 2)[:, None]
    torch.testing.assert_close(squares.into(corners), torch.zeros(6, 1, 2), atol=1e-6, rtol=0)


def test_the_whole_image_is_itself():
    images = torch.rand(2, 3, 16, 16)
    whole = Squares(torch.full((2, 2), 0.5), torch.ones(2))
    torch.testing.assert_close(crop_boxes(images, torch.arange(2), whole, 16), images)


def test_a_crop_is_the_slice():
    """Un cuadrado que cae en píxeles enteros es un trozo de la imagen, y de la que le toca."""
    images = torch.rand(3, 3, 20, 20)
    squares = Squares(torch.tensor([[0.5, 0.3], [0.2, 0.6]]), torch.full((2,), 0.4))
    cut = crop_boxes(images, torch.tensor([2, 0]), squares, 8)
    torch.testing.assert_close(cut[0], images[2, :, 2:10, 6:14])
    torch.testing.assert_close(cut[1], images[0, :, 8:16, 0:8])


def test_outside_is_dark_grey():
    squares = Squares(torch.tensor([[0.0, 0.0]]), torch.tensor([0.5]))
    cut = crop_boxes(torch.ones(1, 3, 16, 16), torch.zeros(1, dtype=torch.long), squares, 8)
    torch.testing.assert_close(cut[0, :, :3, :3], torch.full((3, 3, 3), 0.2))
    assert cut[0, :, 5:, 5:].min() > 0.99


def test_padding_boxes_are_explained():
    boxes = torch.tensor([[0.5, 0.5, 0.2, 0.2], [0.0, 0.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="la caja número 1 no tiene tamaño"):
        squares_around(boxes)
