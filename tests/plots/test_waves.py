"""Dibujos de sonido: dicen lo que se les da y rechazan lo que no se puede dibujar."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from tfcourse import plots
from tfcourse.datasets.sounds.synthesizer import WordTime
from tfcourse.plots.waves import (
    mark_words,
    plot_filter_bank,
    plot_samples,
    plot_spectrogram,
    plot_spectrum,
    plot_wave,
)


@pytest.fixture
def axes():
    fig, axes = plots.figure()
    yield axes
    plt.close(fig)


def test_a_wave_lasts_its_seconds(axes):
    plot_wave(axes, torch.linspace(-1, 1, 500), 1_000, title="onda")
    (line,) = axes.lines
    assert line.get_xdata()[-1] == pytest.approx(0.499) and axes.get_xlim() == (0, 0.5)
    mark_words(axes, [WordTime("uno", 0.1, 0.2)], height=1.0)
    assert axes.texts[0].get_text() == " uno" and axes.lines[1].get_xdata()[0] == 0.1


def test_samples_are_points_in_milliseconds(axes):
    plot_samples(axes, torch.ones(4), 2_000, label="muestras")
    assert axes.lines[0].get_xdata().tolist() == [0, 0.5, 1, 1.5]


def test_a_spectrogram_has_the_low_frequencies_below(axes):
    image = plot_spectrogram(axes, torch.arange(6.0).view(3, 2), 2.0, top=4.0, low=1.0)
    assert image.get_extent() == [0, 2.0, 0, 4.0] and image.origin == "lower"
    assert np.asarray(image.get_array())[0].tolist() == [0, 1] and image.norm.vmin == 1.0


def test_spectra_and_filters_are_in_kilohertz(axes):
    plot_spectrum(axes, [0, 1_000], [0.0, -3.0], label="a", dashed=True)
    plot_filter_bank(axes, torch.eye(2), [0, 2_000])
    assert [line.get_xdata()[-1] for line in axes.lines] == [1, 2, 2]
    assert [line.get_linestyle() for line in axes.lines] == ["--", "-", "--"]


def test_what_cannot_be_drawn_is_explained(axes):
    with pytest.raises(ValueError, match="se dibuja un solo canal"):
        plot_wave(axes, torch.zeros(2, 5), 8_000)
    with pytest.raises(ValueError, match="se dibuja uno solo"):
        plot_spectrogram(axes, torch.zeros(2, 3, 4), 1.0)
