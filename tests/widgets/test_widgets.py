"""Figuras interactivas: datos que aceptan, lo que guardan y contraste de sus colores."""

import json
import re
from itertools import product

import numpy as np
import pytest
import torch

from tests.site.static_page import ROOT
from tests.widgets.examples import date_example, date_weights
from tfcourse.widgets import AlignmentExample, AlignmentWidget
from tfcourse.widgets.stored import STATE_MIME, VIEW_MIME, stabilize_widgets

# --- Datos -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"weights": date_weights().T}, ValueError, r"\(26, 10\).*\(10, 26\).*traspón"),
        ({"weights": np.ones(26)}, ValueError, r"forma \(26,\) y se esperaba"),
        ({"weights": date_weights() - 0.1}, ValueError, "es negativo.*tras el softmax"),
        ({"weights": date_weights() * 2}, ValueError, "la fila 0 de weights suma 2 y se esperaba"),
        ({"weights": date_weights() * np.nan}, ValueError, "no son números"),
        ({"source": "martes"}, TypeError, r"source='martes' es un texto.*list\('martes'\)"),
        ({"target": []}, ValueError, "target está vacío"),
        ({"target": [1, 9]}, TypeError, r"target\[0\]=1 y se esperaba un texto.*vocabulario"),
        ({"reference": "1987"}, TypeError, "reference='1987' es un texto"),
        ({"title": " "}, ValueError, "da un título"),
    ],
)
@pytest.mark.usefixtures("sin_tipos")
def test_example_rejects_bad_data(changes, error, message):
    with pytest.raises(error, match=message):
        date_example(**changes)


@pytest.mark.parametrize(
    ("examples", "error", "message"),
    [
        ([], ValueError, "la lista de ejemplos está vacía"),
        (date_example(), TypeError, "pásalo en una lista"),
        ([{"source": []}], TypeError, r"examples\[0\] es dict"),
    ],
)
@pytest.mark.usefixtures("sin_tipos")
def test_widget_rejects_bad_examples(examples, error, message):
    with pytest.raises(error, match=message):
        AlignmentWidget(examples)


def test_example_accepts_tensors_that_ask_for_gradient():
    weights = torch.tensor(date_weights(), dtype=torch.bfloat16, requires_grad=True)
    assert date_example(weights=weights).to_state()["weights"][0][22] == pytest.approx(
        0.95, abs=4e-3
    )


def test_state_keeps_three_decimals():
    uneven = date_weights(peak=0.9512345)
    weights = np.array(AlignmentWidget([date_example(weights=uneven)]).examples[0]["weights"])
    assert np.array_equal(weights, weights.round(3))
    assert 0 < np.abs(weights - uneven).max() <= 5e-4


def test_state_has_a_size_limit():
    long = AlignmentExample(
        ["a"] * 300, ["b"] * 300, np.full((300, 300), 1 / 300), "Demasiado larga"
    )
    with pytest.raises(ValueError, match=r"ocupan \d+ kB y el límite es 200 kB: pasa menos"):
        AlignmentWidget([long])


def test_repr_is_short_and_stable():
    assert repr(AlignmentWidget([date_example()])) == "AlignmentWidget(1 ejemplo)"
    widget = AlignmentWidget([date_example()] * 3)
    assert widget._repr_mimebundle_()[0]["text/plain"] == "AlignmentWidget(3 ejemplos)"


def test_module_is_self_contained():
    assert not re.search(r"\bimport\b|https?:|\brequire\(", AlignmentWidget._esm)
    assert not re.search(r"@import|url\(", AlignmentWidget._css)
    assert len(AlignmentWidget._esm) < 15_000


# --- Contraste ---------------------------------------------------------------------------------


def palette(theme: str) -> dict[str, str]:
    css = (ROOT / "tfcourse/widgets/palette.css").read_text(encoding="utf-8")
    blocks = re.findall(r"\.tfc \{([^}]*)\}", css)[:1] + re.findall(
        r"vscode-dark .tfc \{([^}]*)\}", css
    )
    light, dark = (dict(re.findall(r"--tfc-([\w-]+): ([^;]+);", block)) for block in blocks)
    return light if theme == "light" else dark


def rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    def luminance(color):
        linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize(("theme", "role"), list(product(["light", "dark"], ["query", "key"])))
def test_text_stays_readable_on_the_strongest_shade(theme, role):
    colors = palette(theme)
    paint, paper = rgb(colors[role]), rgb(colors["paper"])
    bare = (1 - float(colors["shade"])) * (1 - float(colors["fill"]))
    strongest = bare * paper + (1 - bare) * paint
    assert contrast(rgb(colors["ink"]), strongest) >= 4.5
    assert contrast(rgb(colors["on-role"]), paint) >= 4.5


@pytest.mark.parametrize(
    ("theme", "name"),
    list(product(["light", "dark"], ["soft", "accent", "wrong", "value", "key"])),
)
def test_secondary_colors_are_readable(theme, name):
    colors = palette(theme)
    for background in ("paper", "raised"):
        assert contrast(rgb(colors[name]), rgb(colors[background])) >= 4.5


# --- Cuaderno guardado -------------------------------------------------------------------------


def stored_notebook(*ids: str) -> dict:
    view, layout, unseen = ids
    models = {
        unseen: {"state": {"value": 3}},
        layout: {"state": {"width": None}},
        view: {"state": {"layout": f"IPY_MODEL_{layout}", "children": [f"IPY_MODEL_{layout}"]}},
    }
    return {
        "metadata": {"widgets": {STATE_MIME: {"state": models}}},
        "cells": [{"outputs": [{"data": {VIEW_MIME: {"model_id": view}}}]}, {}],
    }


def test_stored_widgets_do_not_change_between_runs():
    first, second = stored_notebook("a1", "b2", "c3"), stored_notebook("z9", "y8", "x7")
    stabilize_widgets(first)
    stabilize_widgets(second)
    assert json.dumps(first) == json.dumps(second)
    assert first["cells"][0]["outputs"][0]["data"][VIEW_MIME]["model_id"] == "figura-1"
    assert first["metadata"]["widgets"][STATE_MIME]["state"] == {
        "figura-1": {"state": {"layout": "IPY_MODEL_figura-2", "children": ["IPY_MODEL_figura-2"]}},
        "figura-2": {"state": {"width": None}},
    }


def test_notebook_without_visible_widgets_keeps_none():
    notebook = stored_notebook("a1", "b2", "c3")
    notebook["cells"] = []
    stabilize_widgets(notebook)
    assert notebook == {"metadata": {}, "cells": []}
