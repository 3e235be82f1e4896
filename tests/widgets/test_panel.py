"""Panel de mandos: calcula con cada valor, dice sus errores y se guarda como una imagen."""

import base64

import ipywidgets
import matplotlib.pyplot as plt
import nbformat
import pytest
import torch

from tfcourse.widgets import Panel
from tfcourse.widgets.stored import VIEW_MIME, stabilize_widgets
from workshop.notebooks.cleaning import clean


def number(value: float = 1.0):
    return ipywidgets.FloatSlider(value, min=0.0, max=4.0, description="temperatura")


def printed(scale: float) -> None:
    print(f"suma {scale + 1:.1f}")


def drawn(scale: float) -> None:
    plt.plot([0, scale])


def test_it_computes_at_the_start_and_when_a_control_moves():
    panel = Panel(printed, scale=number())
    assert panel.screen.outputs[0]["data"]["text/plain"] == "suma 2.0"
    panel.controls["scale"].value = 3.0
    assert panel.screen.outputs[0]["data"]["text/plain"] == "suma 4.0"


def test_the_picture_changes_and_no_figure_stays_open():
    plt.close("all")
    panel = Panel(drawn, scale=number())
    before = panel.picture["image/png"]
    panel.controls["scale"].value = 3.0
    assert panel.picture["image/png"] != before
    assert base64.b64decode(before).startswith(b"\x89PNG")
    assert plt.get_fignums() == []


def test_a_figure_of_before_is_left_alone():
    plt.close("all")
    plt.figure()
    assert "image/png" not in Panel(printed, scale=number()).picture
    assert len(plt.get_fignums()) == 1
    plt.close("all")


def test_an_error_is_said_and_the_panel_goes_on():
    def picky(scale: float) -> None:
        if scale == 0:
            raise ValueError("la escala es cero: muévela a la derecha")
        print(scale)

    panel = Panel(picky, scale=number())
    panel.controls["scale"].value = 0.0
    said = panel.screen.outputs[0]["data"]["text/plain"]
    assert said == "Con estos valores no se puede calcular: la escala es cero: muévela a la derecha"
    panel.controls["scale"].value = 2.0
    assert panel.error == ""
    assert panel.screen.outputs[0]["data"]["text/plain"] == "2.0"


def test_reset_goes_back_to_the_start():
    panel = Panel(printed, scale=number(2.0))
    panel.controls["scale"].value = 3.0
    panel.children[-2].click()
    assert panel.controls["scale"].value == 2.0
    assert panel.picture["text/plain"] == "suma 3.0"


def test_it_waits_until_the_control_is_released():
    panel = Panel(printed, scale=number())
    assert panel.controls["scale"].continuous_update is False


def test_it_does_not_record_gradients():
    weight = torch.ones(1, requires_grad=True)
    seen = []
    Panel(lambda scale: seen.append((weight * scale).requires_grad), scale=number())
    assert seen == [False]


def test_it_needs_controls_with_a_name():
    with pytest.raises(ValueError, match="al menos un mando"):
        Panel(printed)
    with pytest.raises(ValueError, match="falta en scale"):
        Panel(printed, scale=ipywidgets.FloatSlider())


def test_two_figures_are_too_many():
    def twice(scale: float) -> None:
        plt.figure()
        plt.figure()

    with pytest.raises(ValueError, match="ha dibujado 2"):
        Panel(twice, scale=number())


def test_a_figure_and_words_are_too_many():
    def both(scale: float) -> None:
        plt.figure()
        print("suma")

    with pytest.raises(ValueError, match="ha impreso «suma»"):
        Panel(both, scale=number())


def stored(panel: Panel):
    data, metadata = panel._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", data=data, metadata=metadata)
    cell = nbformat.v4.new_code_cell("panel", outputs=[output])
    return nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": {}})


def test_a_live_notebook_shows_the_controls():
    data, _ = Panel(drawn, scale=number())._repr_mimebundle_()
    assert {VIEW_MIME, "image/png", "text/plain"} <= set(data)


@pytest.mark.parametrize("store", [stabilize_widgets, clean])
def test_a_stored_notebook_keeps_the_picture_only(store):
    notebook = stored(Panel(drawn, scale=number()))
    store(notebook)
    assert set(notebook.cells[0].outputs[0].data) == {"image/png", "text/plain"}
    assert "widgets" not in notebook.metadata
