"""Las marcas de los ejes dicen dónde están."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tfcourse.plots import use_decimal_comma, use_percent


def written(places, use):
    """Los rótulos de un eje con las marcas en esos sitios."""
    fig, axes = plt.subplots()
    axes.set(xlim=(min(places), max(places)), xticks=places)
    use(axes.xaxis)
    fig.canvas.draw()
    labels = [label.get_text() for label in axes.get_xticklabels()]
    plt.close(fig)
    return labels


def test_round_ticks_keep_the_decimals_asked_for():
    assert written([0, 0.5, 1], use_decimal_comma) == ["0,0", "0,5", "1,0"]
    assert written([0, 0.2, 0.4], use_percent) == ["0 %", "20 %", "40 %"]


def test_ticks_in_between_get_more_decimals():
    assert written([0.25, 0.5, 0.75, 1], use_decimal_comma) == ["0,25", "0,50", "0,75", "1,00"]
    assert written([0.025, 0.05, 0.075], use_percent) == ["2,5 %", "5,0 %", "7,5 %"]


def test_zero_has_no_sign():
    assert "-0,00" not in written([-0.05, -1e-18, 0.05], use_decimal_comma)
    assert written([-0.2, -0.1, -2.8e-17, 0.1], use_decimal_comma) == ["-0,2", "-0,1", "0,0", "0,1"]


@pytest.mark.parametrize("use", [use_decimal_comma, use_percent])
@pytest.mark.parametrize("step", [0.005, 0.02, 0.025, 0.05, 0.1, 0.125, 0.25])
def test_no_two_ticks_read_the_same_and_each_is_where_it_says(use, step):
    places = step * np.arange(-3, 6)
    labels = written(places, use)
    assert len(set(labels)) == len(labels)
    told = [float(label.removesuffix(" %").replace(",", ".")) for label in labels]
    scale = 100 if use is use_percent else 1
    np.testing.assert_allclose(told, scale * places, atol=1e-6)


def test_thousandths_that_do_not_fit_are_rounded_and_nothing_else():
    assert written([1 / 3, 2 / 3], use_decimal_comma) == ["0,333", "0,667"]
