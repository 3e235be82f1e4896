"""Figura de parches: en el navegador dice los pesos de Python, con ratón, teclado y dedo."""

import re

import numpy as np
import pytest
import torch

from tests.site.static_page import told, widget_page
from tfcourse.layers.image.rollout import attention_rollout
from tfcourse.widgets import PatchesWidget, PatchExample, PatchReading


def maps(length, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (3 * torch.randn(2, 3, length, length, generator=generator)).softmax(-1)


IMAGE = np.linspace(0, 1, 64).reshape(8, 8)
SMALL, LARGE = maps(17), maps(5, seed=1)


def example(title="cifra 3", image=IMAGE):
    readings = [PatchReading(2, SMALL, "un 3"), PatchReading(4, LARGE, "un 8")]
    return PatchExample(title, image, readings)


@pytest.fixture(params=[360, 1200])
def page(browser, tmp_path, request):
    """La figura en una página, ancha y estrecha; sin errores, red ni desborde."""
    widget = PatchesWidget([example(), example("cifra 5", IMAGE.T)])
    with widget_page(browser, tmp_path, widget, width=request.param) as opened:
        yield opened


def numbers(text):
    return [float(number.replace(",", ".")) for number in re.findall(r"\d,\d+", text)]


def option(page, row, column):
    return page.get_by_role("option", name=f"el parche de la fila {row}, columna {column}")


def test_a_patch_says_where_it_looks(page):
    option(page, 2, 3).click()
    weights = SMALL[0, 0, 1 + 4 + 2]
    shown = numbers(told(page))
    assert shown == pytest.approx(weights.sort(descending=True).values[:3].tolist(), abs=0.006)
    assert told(page).startswith("El parche de la fila 2, columna 3 mira sobre todo ")
    assert numbers(page.locator(".tfc-bar-value").inner_text())[0] == pytest.approx(
        float(weights[0]), abs=0.006
    )
    filled = page.locator(".tfc-seen").evaluate_all(
        "e => e.map((r) => +r.getAttribute('fill-opacity'))"
    )
    expected = 0.85 * weights[1:] / weights.max()
    assert filled == pytest.approx(expected.tolist(), abs=0.006)


def test_layer_head_mean_and_rollout(page):
    page.get_by_role("option", name="token de clase").click()
    layer, head = (page.locator("select").nth(i) for i in (1, 2))
    layer.select_option(label="capa 2")
    head.select_option(label="cabeza 3")
    largest = lambda weights: weights.sort(descending=True).values[:3].tolist()  # noqa: E731
    assert numbers(told(page)) == pytest.approx(largest(SMALL[1, 2, 0]), abs=0.006)
    head.select_option(label="media de todas")
    assert numbers(told(page)) == pytest.approx(largest(SMALL[1, :, 0].mean(0)), abs=0.006)
    layer.select_option(label="despliegue de todas")
    rollout = attention_rollout(list(SMALL))[0]
    assert numbers(told(page)) == pytest.approx(largest(rollout), abs=0.006)
    assert head.is_disabled()


def test_the_keyboard_moves_over_the_grid(page):
    option(page, 1, 1).click()
    for key, expected in [
        ("ArrowRight", "fila 1, columna 2"),
        ("ArrowDown", "fila 2, columna 2"),
        ("End", "fila 4, columna 4"),
        ("ArrowRight", "fila 4, columna 4"),
        ("ArrowDown", "token de clase"),
        ("ArrowUp", "fila 4, columna 1"),
        ("ArrowLeft", "fila 4, columna 1"),
        ("Home", "fila 1, columna 1"),
        ("ArrowUp", "fila 1, columna 1"),
    ]:
        page.keyboard.press(key)
        focused = page.locator("[role=option]:focus")
        assert expected in focused.get_attribute("aria-label"), key
        assert focused.get_attribute("aria-selected") == "true"
        assert expected in told(page).split(" mira ")[0]
    assert page.locator("[role=option][tabindex='0']").count() == 1


def test_patch_size_and_image_change(page):
    option(page, 4, 4).click()
    page.get_by_label("4 × 4 píxeles").check()
    assert page.locator("[role=option]").count() == 5
    assert "contesta: un 8" in page.locator(".tfc-note").inner_text()
    option(page, 2, 1).hover()
    weights = LARGE[0, 0, 3].sort(descending=True).values[:3]
    assert numbers(told(page)) == pytest.approx(weights.tolist(), abs=0.006)
    before = page.locator(".tfc-pixels").first.inner_html()
    page.locator("select").first.select_option(label="cifra 5")
    assert page.locator(".tfc-pixels").first.inner_html() != before
    assert page.locator("[role=option]").count() == 5


def test_without_class_token():
    reading = PatchReading(4, maps(4), "un 1")
    state = PatchesWidget([PatchExample("a", IMAGE, [reading])]).state[0]
    assert state["readings"][0]["prefix"] == 0 and np.shape(state["pixels"]) == (8, 8)


def test_bad_arguments_are_explained():
    with pytest.raises(ValueError, match="se esperaba .capas, cabezas, L, L."):
        PatchReading(2, np.ones((17, 17)), "un 3")
    with pytest.raises(ValueError, match="pesos de 17 tokens y la imagen tiene 2 × 2 parches"):
        PatchExample("a", IMAGE, [PatchReading(4, SMALL, "un 3")])
    with pytest.raises(ValueError, match="llegaron 0 modelos"):
        PatchExample("a", IMAGE, [])
    with pytest.raises(ValueError, match="con los mismos tamaños de parche"):
        PatchesWidget([example(), PatchExample("b", IMAGE, [PatchReading(2, SMALL, "un 3")])])
    with pytest.raises(ValueError, match="hace falta al menos uno"):
        PatchesWidget([])
    with pytest.raises(ValueError, match="el límite es 200 kB"):
        PatchesWidget([example()] * 40)


def test_summary_does_not_change():
    assert repr(PatchesWidget([example()])) == "PatchesWidget(1 imágenes, parches de lado 2, 4)"
