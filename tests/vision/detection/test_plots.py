"""Dibujos de un detector: la mirada, con la forma de la imagen, y los letreros, sin pisarse."""

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


@pytest.mark.parametrize("far", [0.0, 0.02, 0.5])
def test_no_label_is_drawn_over_another(far):
    """Dos cajas iguales o casi: sus letreros, ya dibujados, no se tocan."""
    fig, axes = plots.figure(width=2.2, height=2.2)
    plot_image(axes, np.zeros((3, 64, 64)))
    boxes = [(0.4, 0.5, 0.3, 0.3), (0.4 + far, 0.5, 0.3, 0.3)]
    plot_boxes(axes, boxes, ["círculo 0,87", "círculo 0,52"], 64)
    fig.canvas.draw()
    one, other = (text.get_window_extent() for text in axes.texts)
    assert not one.overlaps(other)
    plots.plt.close(fig)
