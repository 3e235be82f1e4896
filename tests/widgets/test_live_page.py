"""Figuras vivas en Chromium: nada antes de pulsar, un archivo después, y lo mismo que PyTorch."""

import base64
import re

import pytest
import torch

from tests.site.static_page import open_page, told, widget_state, write_page
from tests.widgets.conftest import LOAD, reproaches
from tfcourse.datasets.agents.control import expert_episodes
from tfcourse.datasets.agents.generalist import SPACE, demonstration
from tfcourse.decoding import continue_tokens
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.weights.packing import packed_tensors, packed_weights, unpack
from tfcourse.weights.shipped import weights_card
from tfcourse.widgets import (
    BalancingWidget,
    DetectingWidget,
    FillingWidget,
    TasksWidget,
    TranslatingWidget,
    WritingWidget,
)

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def tokenizer() -> BPETokenizer:
    """Un BPE con tantos tokens como el del modelo: aquí solo importa que sean los mismos."""
    letters = "abcdefghijklmnopqrstuvwxyz áéíóúñ\n"
    pairs = [(a, b) for a in letters for b in letters][: 1024 - 4 - len(letters)]
    return BPETokenizer([*letters, *map("".join, pairs)], pairs, byte_level=False)


@torch.no_grad()
def test_gpt_writes_what_torch_writes(show, tokenizer):
    config = GPTConfig(**weights_card("gpt_espanol").config)
    model = GPT(config)
    model.load_state_dict(unpack(packed_tensors("gpt_espanol")), strict=False)
    start = "la ciudad de"
    ids = torch.tensor([tokenizer.encode(start)])
    expected = start + tokenizer.decode(continue_tokens(model.eval(), ids, max_length=12)[0])
    page = show(WritingWidget(tokenizer, [start, "la "]))
    area = page.get_by_label("Tu texto")
    for _ in range(12):
        page.get_by_role("button", name=re.compile("^Escribir «")).first.click()
    assert area.input_value() == expected
    page.get_by_role("button", name="Deshacer").click()
    assert len(area.input_value()) < len(expected)
    assert page.locator(".tfc-strip [role=option]").count() == len(tokenizer.encode(start)) + 11
    # Un comienzo acabado en espacio se dice; y con τ = 0,1 casi no hay duda.
    page.get_by_role("button", name="«la␣»").click()
    assert "tu texto acaba en uno" in told(page)
    before = float(re.search(r"con ([\d,]+) bits", told(page))[1].replace(",", "."))
    page.get_by_label("Temperatura").fill("0")
    assert float(re.search(r"con ([\d,]+) bits", told(page))[1].replace(",", ".")) < before
    page.get_by_label("Top-k").fill("0")
    assert told(page).startswith("Queda un token posible")
    # Con el teclado: el primer token solo se mira a sí mismo.
    page.locator(".tfc-strip [role=option]").last.focus()
    page.keyboard.press("Home")
    assert "(1,00)" in page.locator(".tfc-note").last.inner_text()


def test_gpt_keeps_reading_when_its_window_is_full(show, tokenizer):
    page = show(WritingWidget(tokenizer, ["la"]))
    page.get_by_label("Tu texto").fill("esto no cabe entero en la ventana. " * 12)
    assert "ya no caben en su ventana" in page.locator(".tfc-note").last.inner_text()
    assert page.locator(".tfc-strip [role=option]").count() <= 128
    page.get_by_label("Tu texto").fill("")
    assert "tokens posibles" in told(page)


def test_bert_covers_the_piece_you_choose(show):
    page = show(FillingWidget(load_bert("bert_espanol")[1], {"París es la capital de Francia.": 4}))
    assert told(page).startswith("Has tapado «capital»")
    page.locator(".tfc-strip [role=option]").nth(4).focus()
    page.keyboard.press("ArrowRight")
    assert told(page).startswith("Has tapado «de»")
    page.get_by_role("button", name=re.compile("^Poner «")).nth(1).click()
    assert page.get_by_label("Tu frase").input_value().startswith("parís es la capital")


def test_translator_shows_its_beam(show):
    page = show(TranslatingWidget(["Delete the selected files"]), width=390)
    voracious = told(page)
    assert voracious.startswith("Escribe: «")
    page.get_by_label("Frases que se siguen").select_option(index=2)
    page.get_by_label("Paso del haz").fill("1")
    assert page.locator(".tfc-beams li").count() == 3
    page.locator(".tfc-strip [role=option]").nth(1).click()
    assert page.locator(".tfc-note").last.inner_text().startswith("Al escribir «")
    page.get_by_label("Texto en inglés").fill("")
    assert told(page) == "Escribe una frase."


def test_tasks_change_with_the_prefix(show):
    page = show(TasksWidget(["plural", "pronuncia"], [("plural", "corazón"), ("pronuncia", "sol")]))
    assert told(page) == "Escribe: «corazones»."
    page.get_by_role("textbox", name=re.compile("^Tarea")).fill("pronuncia")
    assert "ˈ" in told(page)


def test_detector_sees_what_is_dragged(show):
    page = show(DetectingWidget())
    assert told(page).startswith("Hay 4 figuras y dibuja 4 cajas: 4 con su clase")
    names = page.locator("canvas").get_attribute("aria-label")
    assert {"círculo", "cuadrado", "triángulo", "cruz"} <= set(re.findall(r"\w+", names))
    frame = page.locator("canvas").bounding_box()
    page.mouse.move(frame["x"] + frame["width"] / 4, frame["y"] + frame["height"] * 0.28)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] * 0.5, frame["y"] + frame["height"] * 0.5)
    page.mouse.up()
    assert "Horizontal: 32 puntos" in page.locator(".tfc-controls").inner_text()
    page.get_by_label("Tamaño").fill("6")  # sin ratón
    page.get_by_role("button", name="Vacía").click()
    assert told(page).startswith("Hay 0 figuras")


def test_gato_holds_the_pole_and_a_big_push_drops_it(show):
    left = expert_episodes("carro", 2, seed=3, kicks=0.0)[0]
    page = show(BalancingWidget(demonstration(left), len(SPACE.words)), width=390)
    step = "n => { const b = [...document.querySelectorAll('button')]"
    step += ".find(b => b.textContent === 'Un paso'); for (let i = 0; i < n; i++) b.click(); }"
    page.evaluate(step, 200)
    assert told(page).startswith("En pie: 4,0 s, con 0 empujones")
    page.get_by_label("Fuerza del empujón").fill("20")
    page.get_by_role("button", name="Empujar a la derecha").click(click_count=3)
    page.evaluate(step, 60)
    assert "a los" in told(page) and "con 3 empujones" in told(page)
    page.get_by_label("El azar").check()
    page.evaluate(step, 400)
    assert re.match("El (palo ha caído|carro se ha salido)", told(page))


def test_from_the_disk_it_says_how(show, browser, tmp_path):
    page = show(DetectingWidget(), load=False)
    address, file = page.url, DetectingWidget().state["file"]
    page.goto((tmp_path / "pagina.html").as_uri())
    page.get_by_role("button", name=LOAD).click()
    assert "abierta desde el disco" in told(page)
    page.get_by_label(f"Elige «{file}»").set_input_files(tmp_path / "_static/pesos" / file)
    page.locator("canvas").wait_for()
    page.goto(address)


@pytest.mark.parametrize(
    ("content", "said"), [(None, "el servidor contesta 404"), (b"12345678{}", "no es el de este")]
)
def test_what_goes_wrong_is_explained(show, tmp_path, content, said):
    page = show(DetectingWidget(), load=False)
    (file,) = (tmp_path / "_static/pesos").iterdir()
    file.unlink() if content is None else file.write_bytes(content)
    button = page.get_by_role("button", name=LOAD)
    button.click()
    page.get_by_text(said).wait_for()
    assert button.is_enabled()


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        ("gpt", "light"), ("gpt", "dark"), ("bert", "dark"), ("traductor", "light"),
        ("detr", "dark"), ("gato", "light"),
    ],
)  # fmt: skip
def test_nothing_to_reproach(show, tokenizer, name, theme):
    right = SPACE.action([1])
    makers = {
        "gpt": lambda: WritingWidget(tokenizer, ["la ciudad"]),
        "bert": lambda: FillingWidget(load_bert("bert_espanol")[1], {"Es una ciudad.": 2}),
        "traductor": lambda: TranslatingWidget(["Open the file"]),
        "detr": DetectingWidget,
        "gato": lambda: BalancingWidget(right, len(SPACE.words)),
    }
    page = show(makers[name](), width=390, theme=theme)
    assert reproaches(page) == []


def test_in_a_notebook_python_gives_the_weights(browser, tmp_path):
    """Sin sitio detrás, la figura se los pide a su modelo y lee los octetos que lleguen."""
    widget = DetectingWidget()
    state = widget_state(widget)
    state["state"]["_esm"] = widget._esm.replace(
        "export default { render };",
        "export default { render, initialize({ model }) { window.sent = [];"
        " model.send = (message) => window.sent.push(message);"
        " model.on = (event, callback) => { window.receive = callback; }; } };",
    )
    page = open_page(browser, write_page(tmp_path, models={"m": state}, views=["m"]))
    page.get_by_role("button", name=LOAD).click()
    assert page.evaluate("window.sent") == [{"kind": "pesos"}]
    content = base64.b64encode(b"xyz" + packed_weights("detr_figuras")).decode()
    page.evaluate(
        "(text) => { const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));"
        " window.receive({ kind: 'otra cosa' }, []);"
        " window.receive({ kind: 'pesos' }, [new DataView(bytes.buffer, 3)]); }",
        content,
    )
    page.locator("canvas").wait_for()
    assert told(page).startswith("Hay 4 figuras") and page.problems == []
    page.close()
