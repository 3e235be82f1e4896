"""Dibujos de un detector: la mirada se reparte con la forma de la imagen."""

import numpy as np
import pytest

from tfcourse import plots
from tfcourse.vision.detection.plots import plot_look


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
