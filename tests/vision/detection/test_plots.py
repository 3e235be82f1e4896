"""Dibujos de un detector: la mirada, con la forma de la imagen, y los letreros, sin pisarse."""

from itertools import combinations

import numpy as np
import pytest

from tfcourse import plots
from tfcourse.vision.detection.plots import plot_boxes, plot_image, plot_look


@pytest.mark.parametrize(("height", "width"), [(64, 64), (64, 96), (96, 64)])
def test_each_weight_is_drawn_on_its_cell(height, width):
    rows, columns = height // 8, width // 8
    weights = np.arange(1.0, rows * columns + 1)
    fig, axes = plots.figure()
    plot_look(axes, np.zeros((3, height, width)), weights, (0.5, 0.5, 0.2, 0.2))
    _, look = axes.images
    assert look.get_array().tolist() == (weights / weights.max()).reshape(rows, columns).tolist()
    assert look.get_extent() == [-0.5, width - 0.5, height - 0.5, -0.5]
    plots.plt.close(fig)


CROWDED = {
    "iguales": [(0.4, 0.5, 0.3, 0.3)] * 2,
    "casi": [(0.4, 0.5, 0.3, 0.3), (0.42, 0.5, 0.3, 0.3)],
    "aparte": [(0.25, 0.5, 0.3, 0.3), (0.8, 0.5, 0.3, 0.3)],
    "en los bordes": [(0.5, 0.05, 0.2, 0.1), (0.95, 0.5, 0.1, 0.2), (0.9, 0.97, 0.2, 0.06)],
    "en corro": [(x, y, 0.3, 0.3) for x in (0.3, 0.6) for y in (0.3, 0.6)],
}


@pytest.mark.parametrize("name", CROWDED)
def test_no_label_is_drawn_over_another_nor_outside_the_picture(name):
    """Los letreros, ya dibujados y con su borde, ni se tocan ni se salen de la imagen."""
    fig, both = plots.figure(1, 2, width=4.4, height=2.4)
    boxes = CROWDED[name]
    for axes in both:
        plot_image(axes, np.zeros((3, 64, 64)), title="una escena")
        plot_boxes(axes, boxes, [f"cruz 0,{i}7" for i in range(len(boxes))], 64)
    fig.canvas.draw()
    for axes in both:
        edge = 1.1 * fig.dpi / 72
        drawn = [text.get_window_extent().padded(edge) for text in axes.texts]
        assert len(drawn) == len(boxes)
        assert not [1 for one, other in combinations(drawn, 2) if one.overlaps(other)]
        paper = axes.get_window_extent().padded(0.5)  # medio píxel no se ve
        assert all(paper.containsx(one.x0) and paper.containsx(one.x1) for one in drawn)
        assert all(paper.containsy(one.y0) and paper.containsy(one.y1) for one in drawn)
    plots.plt.close(fig)


def test_without_room_for_a_label_it_is_still_written():
    """Si no cabe en ningún sitio, se escribe donde menos estorba; y uno vacío no se dibuja."""
    fig, axes = plots.figure(width=1.5, height=1.5)
    plot_image(axes, np.zeros((3, 64, 64)))
    plot_boxes(axes, [(0.5, 0.5, 0.9, 0.9)] * 12, ["triángulo 0,87"] * 11 + [""], 64)
    assert [text.get_text() for text in axes.texts] == ["triángulo 0,87"] * 11
    plots.plt.close(fig)
