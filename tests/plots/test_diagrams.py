"""Esquemas y textos coloreados: dibujan lo que se les da y rechazan lo que no encaja."""

import matplotlib
import matplotlib.pyplot as plt
import pytest

from tfcourse import plots
from tfcourse.plots.diagrams import blank_axes, draw_arrow, draw_flow, draw_node

matplotlib.use("Agg")


@pytest.fixture
def axes():
    fig, axes = plots.figure()
    yield axes
    plt.close(fig)


def test_nodes_and_arrows(axes):
    blank_axes(axes, "título", x=(0, 2), y=(0, 1))
    draw_node(axes, (0, 1), "h", plots.COLORS["query"])
    draw_arrow(axes, (0, 1), (2, 1))
    assert axes.get_title() == "título" and axes.get_xlim() == (0, 2)
    label, arrow = axes.texts
    assert label.get_text() == "h" and label.get_position() == (0, 1)
    assert arrow.xy == (2, 1) and arrow.get_text() == ""


def test_a_flow_has_its_nodes_and_arrows(axes):
    draw_flow(axes, {"a": (0, 0, "query"), "b": (2, 1, "key")}, [("a", "b")])
    first, second, arrow = axes.texts
    assert (first.get_text(), second.get_position()) == ("a", (2, 1))
    assert arrow.xy == (2, 1)
    with pytest.raises(KeyError, match="otro"):
        draw_flow(axes, {"a": (0, 0, "query")}, [("a", "otro")])


def test_text_is_wrapped_and_coloured_by_sign(axes):
    plots.plot_text_values(axes, "abcde", [1, -1, 0.5, 0, -0.5], columns=3, title="u")
    assert [t.get_text() for t in axes.texts] == list("abcde")
    assert axes.texts[3].get_position() == (0.5, 1.55) and axes.get_ylim() == (2, 0)
    colors = [matplotlib.colors.to_hex(p.get_facecolor()).upper() for p in axes.patches]
    assert colors[0] == plots.COLORS["query"] and colors[1] == plots.COLORS["key"]
    assert axes.patches[2].get_alpha() == pytest.approx(0.375)


def test_a_value_per_character_is_required(axes):
    for values in ([1.0], [0.0, 2.0]):
        with pytest.raises(ValueError, match="uno por carácter, entre -1 y 1"):
            plots.plot_text_values(axes, "ab", values)
