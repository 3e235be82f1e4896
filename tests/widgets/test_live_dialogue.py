"""La figura que conversa sobre una escena, en Chromium: contesta lo mismo que PyTorch."""

import re

import pytest
import torch

from tests.site.static_page import told
from tests.widgets.conftest import reproaches
from tests.widgets.test_live_pictures import stroke
from tfcourse.datasets.scenes.asked_scenes import Question
from tfcourse.datasets.scenes.told_scenes import SIZE, ToldScene
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.multimodal.dialogue.decoding import answers
from tfcourse.multimodal.dialogue.form import prompts, vocabulary
from tfcourse.multimodal.dialogue.metrics import looked_at
from tfcourse.multimodal.dialogue.recipe import load
from tfcourse.text.assistant.lora import merge_lora
from tfcourse.weights.packing import packed_tensors, unpack
from tfcourse.widgets import AskingWidget

pytestmark = pytest.mark.lento
STAGE = ".tfc-stage"
BEFORE = "cruz azul arriba a la izquierda; cuadrado rojo abajo a la derecha."
AFTER = "cuadrado rojo arriba a la izquierda; cruz azul abajo a la derecha."


@pytest.fixture(scope="module")
def model() -> VisionLanguage:
    whole = merge_lora(load("dialogo"))
    whole.load_state_dict(unpack(packed_tensors("dialogo")), strict=False)
    return whole.eval()


def shown_image(page) -> torch.Tensor:
    """La escena que se ve, leída del lienzo: un número por punto y color."""
    seen = page.evaluate(
        "(side) => { const c = document.querySelector('.tfc-stage'), each = c.width / side;"
        " const d = c.getContext('2d').getImageData(0, 0, c.width, c.width).data;"
        " return Array.from({ length: side * side * 3 }, (_, i) => { const p = Math.floor(i / 3);"
        " const x = Math.floor((p % side + 0.5) * each);"
        " const y = Math.floor((Math.floor(p / side) + 0.5) * each);"
        " return d[4 * (y * c.width + x) + i % 3]; }); }",
        SIZE,
    )
    return torch.tensor(seen, dtype=torch.float32).view(SIZE, SIZE, 3).permute(2, 0, 1) / 255


def shown_pair(page) -> tuple[ToldScene, Question]:
    """La escena y la pregunta que hay en la figura."""
    text = page.locator(".tfc-asked").inner_text().strip("¿?")
    words = (text[0].lower() + text[1:]).split(" ")
    if words[:2] == ["qué", "hay"]:
        words = [*words[:2], " ".join(words[2:])]
    return ToldScene(shown_image(page), ()), Question("", ("¿", *words, "?"), ())


@torch.no_grad()
def check_answer(page, model) -> str:
    """La respuesta es la de PyTorch con esos mismos puntos, y la probabilidad también."""
    pair = shown_pair(page)
    (said,) = answers(model, [pair])
    logits = model(torch.tensor(prompts([pair], model.n_image)), pair[0].image[None])[0, -1]
    assert told(page).startswith(f"Contesta «{said}», con probabilidad ")
    shown = page.locator(".tfc-bar-value").first.inner_text()
    assert abs(float(shown.replace(",", ".")) - float(logits.softmax(-1).max())) < 0.03
    assert page.locator(".tfc-bar-name").first.inner_text() == said
    return said


def test_it_answers_what_torch_answers(show, model):
    page = show(AskingWidget(vocabulary()), width=390)
    said = [check_answer(page, model)]
    presets = page.get_by_role("group", name="Escenas").get_by_role("button")
    assert presets.count() == 7
    for number in range(1, 6):  # todas menos la del azar
        presets.nth(number).click()
        said.append(check_answer(page, model))
    assert len(set(said)) > 3
    presets.nth(1).click()
    assert "Falla: la respuesta es «azul»." in told(page)
    presets.first.click()
    assert "Acierta." in told(page)
    for kind in ("¿Qué hay…?", "¿De qué color es…?", "¿Cuántas figuras hay?", "¿Hay…?"):
        field(page, "Pregunta").select_option(kind)
        assert page.evaluate("document.activeElement.selectedOptions[0].text") == kind
        check_answer(page, model)
    page.get_by_label("Figura por la que preguntas").select_option("círculo")
    page.get_by_label("Su color").select_option("azul")
    assert page.locator(".tfc-asked").inner_text() == "¿Hay un círculo azul?"
    check_answer(page, model)
    assert "Está la figura y está el color, pero no juntos." in told(page)
    pair = shown_pair(page)
    page.get_by_label("capa 2").check()
    looks = looked_at(model, [pair], 1)[0]
    number = f"{float(looks.sum()):.2f}".replace(".", ",")
    note = page.locator(".tfc-talk .tfc-note").inner_text()
    assert note.startswith(f"En la capa 2, «?» da {number} de su atención a la imagen")
    row, column = divmod(int(looks.argmax()), 4)
    assert f"la fila {row + 1} y columna {column + 1} de 4 × 4" in note
    assert not torch.equal(shown_image(page), pair[0].image)  # lo que no mira, más oscuro


def field(page, name: str):
    """La lista que se llama exactamente así: hay otras cuyo nombre empieza igual."""
    named = page.locator("span", has_text=re.compile(f"^{name}$"))
    return page.locator(".tfc-field", has=named).locator("select")


def label(page) -> str:
    return page.locator(STAGE).get_attribute("aria-label")


def test_mouse_keyboard_and_finger_move_the_same_things(show, model):
    page = show(AskingWidget(vocabulary()), width=390)
    page.get_by_role("button", name="Una cruz azul").click()
    assert "Al aprender no vio ninguna cruz azul." in told(page)
    assert label(page).endswith(
        "cruz azul arriba a la izquierda; cuadrado rojo abajo a la derecha."
    )
    stroke(page, STAGE, (0.25, 0.25), (0.75, 0.75))  # con el ratón: se cambian el sitio
    assert label(page).endswith(
        "cuadrado rojo arriba a la izquierda; cruz azul abajo a la derecha."
    )
    assert page.get_by_label("Cuarto que cambias").input_value() == "3"
    stroke(page, STAGE, (0.75, 0.25))  # en un cuarto vacío: una figura más
    assert "; " in label(page) and "arriba a la derecha" in label(page)
    check_answer(page, model)
    # Con el teclado: otro cuarto, otra figura, otro color, y quitarla.
    page.get_by_label("Cuarto que cambias").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.value") == "2"
    field(page, "Figura").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    field(page, "Color").select_option("verde")
    assert "triángulo verde abajo a la izquierda" in label(page)
    page.get_by_label("Tamaño").fill("13")
    page.get_by_role("slider", name=re.compile("^A la derecha")).fill("-2")
    check_answer(page, model)
    field(page, "Figura").focus()
    page.keyboard.press("Home")
    assert "triángulo" not in label(page)
    # Con el dedo: la de arriba a la izquierda, a la esquina de abajo.
    session = page.context.new_cdp_session(page)
    page.locator(STAGE).scroll_into_view_if_needed()
    frame = page.locator(STAGE).bounding_box()
    places = [(0.25, 0.25), (0.25, 0.5), (0.25, 0.75)]
    for name, (x, y) in zip(("Start", "Move", "Move"), places, strict=True):
        point = {"x": frame["x"] + x * frame["width"], "y": frame["y"] + y * frame["height"]}
        session.send("Input.dispatchTouchEvent", {"type": f"touch{name}", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert "cuadrado rojo abajo a la izquierda" in label(page)
    check_answer(page, model)


def test_questions_without_an_answer_are_told(show):
    page = show(AskingWidget(vocabulary()))
    page.get_by_role("button", name="La que no está").click()
    assert "Pero no hay ninguna cruz verde." in told(page)
    page.get_by_role("button", name="Vacía").click()
    assert told(page).endswith("no hay ninguna figura. Al aprender no vio ninguna escena vacía.")
    page.get_by_role("button", name="Otra al azar").click()
    assert label(page).startswith("Escena de 32 por 32 puntos: ")
    assert "vacía" not in told(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_to_reproach(show, theme):
    assert reproaches(show(AskingWidget(vocabulary()), width=390, theme=theme)) == []
