"""Dibujos de poses: lo que hace falta para pintar un esqueleto."""

import pytest
import torch

from tfcourse import plots
from tfcourse.vision.pose.plots import plot_pose


def test_a_drawing_needs_points_in_pairs():
    _, axes = plots.figure()
    plot_pose(axes, torch.rand(13, 2), 64)
    with pytest.raises(ValueError, match=r"forma \(13, 3\): hacen falta \(K, 2\)"):
        plot_pose(axes, torch.rand(13, 3), 64)
