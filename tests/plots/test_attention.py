"""Dibujos de quién mira a quién: dicen lo que dicen los pesos."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tfcourse.plots.attention import plot_links, plot_shaded_text


@pytest.fixture
def axes():
    _, axes = plt.subplots()
    yield axes
    plt.close("all")


def test_links_have_the_width_and_sign_of_their_weights(axes):
    weights = np.array([[0.5, 0.0, 0.001], [0.25, -1.0, 0.0]])
    plot_links(axes, weights, ["a", "b", "c"], ["x", "y"])
    drawn = sorted((line.get_linewidth(), line.get_linestyle()) for line in axes.lines)
    assert drawn == [(1.0, "-"), (2.0, "-"), (4.0, "--")]
    assert [text.get_text() for text in axes.texts] == ["a", "b", "c", "x", "y"]


def test_words_are_shaded_and_the_strong_sentence_is_bold(axes):
    sentences = [("la", "casa"), ("el", "gato", "negro")]
    plot_shaded_text(axes, sentences, [[0.9, 0.1], [0.0, 0.5, 0.5]], [0.2, 0.8])
    texts = {text.get_text(): text for text in axes.texts}
    assert texts["0,20"].get_weight() == "normal" and texts["0,80"].get_weight() == "bold"
    shade = {w: sum(texts[w].get_bbox_patch().get_facecolor()[:3]) for w in ("la", "casa", "el")}
    assert shade["la"] < shade["casa"] < shade["el"] == 3.0


def test_long_sentences_are_broken_inside_the_width(axes):
    plot_shaded_text(axes, [("palabra",) * 20], [[0.05] * 20], [1.0], columns=40)
    assert len({text.get_position()[1] for text in axes.texts}) > 1
    assert max(text.get_position()[0] + len(text.get_text()) for text in axes.texts) <= 40


def test_bad_shapes_are_told_in_spanish(axes):
    with pytest.raises(ValueError, match="una fila por símbolo de arriba"):
        plot_links(axes, np.zeros((2, 2)), ["a"], ["x", "y"])
    with pytest.raises(ValueError, match="tantos de unos como de otros"):
        plot_shaded_text(axes, [("a",)], [[1.0]], [0.5, 0.5])
