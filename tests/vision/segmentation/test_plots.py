"""Dibujos de un segmentador: dónde se pintan los bordes y de qué color es cada clase."""

import matplotlib.pyplot as plt
import numpy as np
import torch

from tfcourse.vision.segmentation.plots import (
    KIND_COLORS,
    borders,
    plot_kinds,
    plot_mask,
    plot_panoptic,
)


def test_borders_are_between_two_objects():
    numbers = np.array([[1, 1, 2, 0], [1, 1, 2, 0], [0, 0, 3, 3]])
    wanted = [[0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    assert borders(numbers).astype(int).tolist() == wanted


def test_each_kind_has_its_color():
    _, axes = plt.subplots()
    kinds = torch.tensor([[0, 1], [2, 4]])
    plot_kinds(axes, kinds, title="clases")
    painted = axes.images[0].get_array()
    assert np.allclose(painted, KIND_COLORS[kinds]) and axes.get_title() == "clases"
    assert len(np.unique(KIND_COLORS, axis=0)) == len(KIND_COLORS)
    plt.close("all")


def test_the_line_is_white():
    _, axes = plt.subplots()
    panoptic = torch.tensor([[[1, 1], [1, 2]]])
    plot_panoptic(axes, panoptic)
    painted = axes.images[0].get_array()
    assert np.allclose(painted[0, 0], 1) and np.allclose(painted[0, 1], KIND_COLORS[1])
    plt.close("all")


def test_what_is_outside_the_mask_is_dark():
    _, axes = plt.subplots()
    plot_mask(axes, torch.ones(3, 2, 2), torch.tensor([[1.0, 0.0], [0.0, 0.0]]))
    painted = axes.images[0].get_array()
    assert np.allclose(painted[0, 0], 1) and np.allclose(painted[1, 1], 0.25)
    plt.close("all")
