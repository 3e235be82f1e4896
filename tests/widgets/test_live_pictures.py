"""Figuras vivas que miran imágenes, en Chromium: dibujar, arrastrar y cambiar."""

import re

import pytest
import torch

from tests.site.static_page import told
from tests.widgets.conftest import reproaches
from tfcourse.vision.classification.recipe import load as load_classifier
from tfcourse.widgets import (
    FormingWidget,
    HandwritingWidget,
    PosingWidget,
    SegmentingWidget,
    TellingWidget,
)

pytestmark = pytest.mark.lento


def stroke(page, canvas, *points) -> None:
    """Arrastra el puntero por unos puntos de un lienzo, en partes de su lado."""
    page.locator(canvas).scroll_into_view_if_needed()
    frame = page.locator(canvas).bounding_box()
    places = [
        (frame["x"] + x * frame["width"], frame["y"] + y * frame["height"]) for x, y in points
    ]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=8)
    page.mouse.up()


def test_samples_are_read_and_a_turned_six_is_a_nine(show):
    page = show(HandwritingWidget(), width=390)
    for digit in range(10):
        page.get_by_role("button", name=f"Poner un {digit} de muestra").click()
        assert told(page).startswith(f"Lee un {digit} (")
    page.get_by_role("button", name="Poner un 6").click()
    page.get_by_label("Giro").fill("180")
    assert told(page).startswith("Lee un 9 (")
    page.get_by_label("la última capa").check()
    assert "En la última capa mira sobre todo" in told(page)
    page.get_by_label("nada").check()
    assert "parche" not in told(page)


@torch.no_grad()
def test_what_is_drawn_is_what_torch_reads(show):
    page = show(HandwritingWidget())
    page.get_by_role("button", name="Borrar").click()
    assert told(page).startswith("La hoja está en blanco")
    stroke(page, ".tfc-paper", (0.3, 0.1), (0.75, 0.1), (0.45, 0.9))
    odds = [float(t.replace(",", ".")) for t in page.locator(".tfc-column-value").all_inner_texts()]
    seen = page.evaluate(
        "() => { const c = document.querySelectorAll('.tfc-board')[0];"
        " const d = c.getContext('2d').getImageData(0, 0, 320, 320).data;"
        " return Array.from({ length: 1024 }, (_, i) =>"
        " d[4 * ((Math.floor(i / 32) * 10 + 5) * 320 + (i % 32) * 10 + 5)] < 128 ? 1 : 0); }"
    )
    image = torch.tensor(seen, dtype=torch.float32).view(8, 4, 8, 4).mean((1, 3))
    expected = load_classifier("vit_cifras")(image[None, None]).softmax(-1)[0]
    assert torch.allclose(torch.tensor(odds), expected, atol=0.03) and max(odds) > 0.5
    before = told(page)
    page.get_by_label("Tamaño").fill("40")
    assert told(page) != before


def test_twins_are_told_apart_until_one_hides_the_other(show):
    page = show(SegmentingWidget(), width=390)
    assert told(page).startswith("Hay 4 figuras y dice 4 segmentos. Con su clase")
    page.get_by_role("button", name="Dos gemelas").click()
    assert "dice 2 segmentos" in told(page)
    stroke(page, ".tfc-movable", (0.75, 0.5), (0.42, 0.5))  # una encima de la otra
    assert "dice 1 segmento." in told(page)
    page.get_by_label("Horizontal").fill("52")  # y sin ratón, otra vez separadas
    assert "dice 2 segmentos" in told(page)
    page.get_by_label("Forma").select_option("triángulo")
    answer = page.locator(".tfc-board").nth(1).get_attribute("aria-label")
    assert set(re.findall(r"\w+", answer)) >= {"círculo", "triángulo"}
    page.get_by_label("Color").select_option("rosa")
    page.get_by_label("Se escucha").fill("95")
    assert "dice 0 segmentos" in told(page)


def test_a_hidden_hand_is_still_placed_and_nobody_has_thirteen_joints(show):
    page = show(PosingWidget(), width=390)
    assert told(page).startswith("Pone en su sitio 13 de 13 articulaciones")
    stroke(page, ".tfc-stage", (0.69, 0.51), (0.8, 0.25))  # la muñeca izquierda, hacia arriba
    assert page.get_by_label("Ángulo que cambias").input_value() == "4"
    assert "13 de 13" in told(page)
    page.get_by_role("button", name="Una mano tapada").click()
    assert "De la que menos se fía: muñeca izquierda" in told(page)
    page.get_by_role("button", name="Cabeza abajo").click()
    assert "fuera: cabeza" in told(page)
    page.get_by_role("button", name="Nadie").click()
    assert told(page).startswith("No hay nadie, y aun así pone las 13")
    page.get_by_role("button", name="De pie").click()
    page.get_by_label("Lado del rectángulo").fill("40")  # sin ratón
    assert "13 de 13" not in told(page)


def test_boxes_are_told_in_order_and_an_empty_scene_ends_at_once(show):
    page = show(TellingWidget(), width=390)
    assert told(page).startswith("Hay 4 figuras y escribe 4 cajas, por este orden: ")
    words = page.locator(".tfc-strip [role=option]")
    assert words.count() == 21 and words.last.inner_text() == "fin"
    words.first.focus()
    page.keyboard.press("End")
    assert page.locator(".tfc-note").nth(2).inner_text().startswith("Al escribir «fin»")
    before = words.all_inner_texts()
    stroke(page, ".tfc-stage", (0.25, 0.28), (0.4, 0.4))
    assert words.all_inner_texts() != before
    page.get_by_label("Tamaño").fill("6")
    page.get_by_role("button", name="Cinco iguales").click()
    assert "escribe 4 cajas" in told(page)  # nunca ha visto una escena con cinco
    page.get_by_role("button", name="Vacía").click()
    assert told(page).startswith("Hay 0 figuras y escribe")


def board(page, place: int) -> torch.Tensor:
    """La tinta de un tablero de 8 × 8, de 0 a 1, leída del lienzo."""
    inked = page.evaluate(
        "(n) => { const c = document.querySelectorAll('.tfc-board')[n];"
        " const d = c.getContext('2d').getImageData(0, 0, 320, 320).data;"
        " return Array.from({ length: 64 }, (_, i) =>"
        " d[4 * ((Math.floor(i / 8) * 40 + 20) * 320 + (i % 8) * 40 + 20)]); }",
        place,
    )
    return 1 - torch.tensor(inked, dtype=torch.float32).view(8, 8) / 255


@torch.no_grad()
def test_what_is_asked_is_formed_and_the_judge_reads_it(show):
    """Las diez palabras, desde varios ruidos: el clasificador del curso lee lo que se pidió."""
    page, judge, seen = show(FormingWidget(), width=390), load_classifier("vit_cifras"), []
    for word in range(10):
        page.get_by_label("Palabra").select_option(index=word)
        for _ in range(3):
            page.get_by_role("button", name="Otro ruido").click()
            seen.append(int(judge(board(page, 0)[None, None]).argmax()) == word)
    assert sum(seen) >= 27
    assert told(page).startswith("«nueve», con guía 2,0, tras el paso 16 de 16 (t = 1,00)")
    page.get_by_label("Guía").fill("0")
    assert told(page).startswith("Sin decir la palabra, tras")


def test_the_steps_are_walked_by_hand_and_alone(show):
    page = show(FormingWidget(), width=390)
    end = board(page, 0)
    page.get_by_label("Paso:").focus()
    page.keyboard.press("Home")
    assert "tras el paso 0 de 16 (t = 0,00). Lo que hay se diferencia" in told(page)
    noise = board(page, 0)
    assert (noise - end).abs().mean() > 0.2
    page.get_by_role("button", name="Otro ruido").click()  # se queda en el paso en que estaba
    assert "tras el paso 0 de 16" in told(page) and not torch.equal(board(page, 0), noise)
    page.get_by_label("Ruido").fill("0")
    assert torch.equal(board(page, 0), noise)
    page.get_by_label("Paso:").focus()
    page.keyboard.press("ArrowRight")
    assert "tras el paso 1 de 16" in told(page) and not torch.equal(board(page, 0), noise)
    label = page.locator(".tfc-board").first.get_attribute("aria-label")
    assert label.startswith("Lo que hay tras el paso 1 de 16. Tinta: fila ")
    page.get_by_role("button", name="Ver cómo se forma").click()
    page.get_by_role("button", name="Parar").wait_for()
    page.get_by_role("button", name="Ver cómo se forma").wait_for()  # al llegar se para sola
    assert told(page).endswith("Es el dibujo acabado.") and torch.equal(board(page, 0), end)
    page.emulate_media(reduced_motion="reduce")  # sin movimiento, un paso por pulsación
    for step in (0, 1):
        page.get_by_role("button", name="Ver cómo se forma").click()
        assert f"tras el paso {step} de 16" in told(page)
    page.get_by_label("Pasos").fill("0")  # con uno solo, va derecho a donde apuntaba
    assert "tras el paso 1 de 1 " in told(page)
    page.get_by_label("Paso:").fill("0")
    aimed = board(page, 1)
    page.get_by_label("Paso:").fill("1")
    assert torch.allclose(board(page, 0), aimed, atol=0.01)


KINDS = [FormingWidget, HandwritingWidget, PosingWidget, SegmentingWidget, TellingWidget]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_reproach(show, kind, theme):
    assert reproaches(show(kind(), width=390, theme=theme)) == []
