"""Dibujos de imágenes: dicen lo que deben y avisan de lo que no encaja."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from tfcourse.datasets.pictures.photos import sample_photo
from tfcourse.plots.images import plot_image, plot_images, plot_likeness_maps, plot_weights_over


@pytest.fixture
def panels():
    figure, axes = plt.subplots(2, 2)
    yield axes
    plt.close(figure)


def test_the_photo_is_real_and_square():
    photo = sample_photo(200)
    assert photo.shape == (3, 200, 200) and photo.min() >= 0 and 0.9 < photo.max() <= 1
    with pytest.raises(ValueError, match="la foto mide 427 × 640, pide como mucho 427"):
        sample_photo(500)


def test_a_grid_has_a_line_per_edge(panels):
    plot_image(panels[0, 0], torch.rand(1, 8, 8), patch_size=2, title="cifra")
    assert len(panels[0, 0].lines) == 10 and panels[0, 0].get_title() == "cifra"
    plot_image(panels[0, 1], torch.rand(3, 8, 8))
    assert panels[0, 1].images[0].get_array().shape == (8, 8, 3)
    with pytest.raises(ValueError, match=r"forma \(2, 8, 8\)"):
        plot_image(panels[1, 1], torch.rand(2, 8, 8))


def test_empty_places_stay_empty(panels):
    plot_images(panels, torch.rand(3, 1, 8, 8), ["a", "b", "c"])
    assert [len(panel.images) for panel in panels.ravel()] == [1, 1, 1, 0]


def test_weights_go_to_their_patch(panels):
    weights = np.arange(8.0) + 3
    plot_weights_over(panels[0, 0], torch.rand(1, 8, 4), weights, grid=(4, 2))
    drawn = panels[0, 0].images[0].get_array()
    assert drawn.shape == (4, 2) and drawn[3, 1] == 1 and drawn[1, 0] == pytest.approx(2 / 7)
    with pytest.raises(ValueError, match="llegaron 9 pesos.*quita el del token de clase"):
        plot_weights_over(panels[0, 1], torch.rand(8, 4), np.ones(9), grid=(4, 2))


def test_likeness_is_the_cosine(panels):
    table = np.random.default_rng(0).normal(size=(4, 6))
    plot_likeness_maps(panels, table + 5, (2, 2))  # lo común a todas no cuenta
    table -= table.mean(axis=0)
    drawn = panels[1, 0].images[0].get_array()
    expected = table[2] @ table[1] / np.linalg.norm(table[2]) / np.linalg.norm(table[1])
    assert drawn[0, 1] == pytest.approx(expected) and drawn[1, 0] == pytest.approx(1)
    with pytest.raises(ValueError, match="hay 3 posiciones, 4 ejes"):
        plot_likeness_maps(panels, table[:3], (2, 2))
