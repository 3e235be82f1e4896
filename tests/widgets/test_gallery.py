"""Buscador de dibujos: los mismos puestos que en Python, por teclado y sin núcleo."""

import io
import math

import pytest

from tests.site.static_page import open_page, overflow, widget_state, write_page
from tfcourse.widgets import GalleryWidget

NAMES = ["gato", "árbol de Navidad", "coche rojo", "pez", "reloj", "llave"]


def turned(degrees: float) -> list[float]:
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]


PICTURES = {name: turned(60 * i) for i, name in enumerate(NAMES)}
QUERIES = {name: turned(60 * i + 5) for i, name in enumerate(NAMES)} | {"felino": turned(-20)}


def sprite() -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (9, 6), "red").save(file, "PNG")
    return file.getvalue()


def gallery(**changes) -> GalleryWidget:
    fields = {
        "sprite": sprite(), "columns": 3, "pictures": PICTURES, "queries": QUERIES,
        "examples": ["felino", "pez"],
    }  # fmt: skip
    return GalleryWidget(**fields | changes)


@pytest.fixture
def page(browser, tmp_path):
    models = {"m": widget_state(gallery())}
    opened = open_page(browser, write_page(tmp_path, models=models, views=models), width=360)
    opened.wait_for_selector(".tfc-finds li")
    yield opened
    assert opened.problems == []
    opened.close()


def found(page) -> list[str]:
    return page.locator(".tfc-finds .tfc-name").all_text_contents()


def cosines(page) -> list[float]:
    texts = page.locator(".tfc-finds .tfc-cosine").all_text_contents()
    return [float(t.replace("coseno", "").replace(",", ".").replace("−", "-")) for t in texts]


def test_opens_with_the_first_example_in_order_of_cosine(page):
    query = QUERIES["felino"]
    expected = sorted(
        NAMES, key=lambda n: -sum(a * b for a, b in zip(query, PICTURES[n], strict=True))
    )
    assert found(page) == expected
    exact = [sum(a * b for a, b in zip(query, PICTURES[n], strict=True)) for n in expected]
    assert cosines(page) == pytest.approx(exact, abs=0.02)
    assert "Lo más parecido a «felino» es «gato»" in page.get_by_role("status").inner_text()


def test_searches_with_the_keyboard_and_forgives_accents(page):
    box = page.get_by_role("combobox", name="Busca un dibujo")
    box.fill("  ARBOL  de navidad ")
    box.press("Enter")
    assert found(page)[0] == "árbol de Navidad"
    assert "en el puesto 1 de 6" in page.get_by_role("status").inner_text()


def test_choosing_from_the_list_searches_at_once(page):
    page.get_by_role("combobox").fill("reloj")
    assert found(page)[0] == "reloj"


def test_examples_are_buttons(page):
    page.get_by_role("button", name="pez", exact=True).press("Enter")
    assert found(page)[0] == "pez"
    assert page.get_by_role("combobox").input_value() == "pez"


def test_an_unknown_text_is_explained_and_offers_others(page):
    box = page.get_by_role("combobox")
    box.fill("coche azul")
    box.press("Enter")
    told = page.get_by_role("status").inner_text()
    assert "no ha calculado el vector de «coche azul»" in told and "«coche rojo»" in told
    assert found(page) == []
    box.fill("  ")
    box.press("Enter")
    assert page.get_by_role("status").inner_text().startswith("Escribe una palabra")


def test_each_drawing_shows_its_own_square(page):
    places = page.locator(".tfc-finds li").evaluate_all(
        "es => es.map(e => [e.querySelector('.tfc-name').textContent,"
        " e.querySelector('.tfc-thumb').style.backgroundPosition])"
    )
    assert dict(places)["gato"] == "0% 0%"
    assert dict(places)["coche rojo"] == "100% 0%"
    assert dict(places)["llave"] == "100% 100%"


def test_fits_in_a_phone(page):
    assert overflow(page) == 0


def test_vectors_travel_as_bytes_that_say_the_same():
    import base64

    state = gallery().state
    numbers = [b - 256 if b > 127 else b for b in base64.b64decode(state["pictures"])]
    flat = [x for vector in PICTURES.values() for x in vector]
    assert [n / 127 for n in numbers] == pytest.approx(flat, abs=0.5 / 127 + 1e-9)
    assert repr(gallery()) == "GalleryWidget(6 dibujos, 7 textos)"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pictures": {}}, "hace falta algo de cada"),
        ({"queries": {"gato": [1.0]}, "examples": ["gato"]}, r"tamaño \[1, 2\]"),
        ({"examples": ["perro"]}, r"faltan los vectores de los ejemplos \['perro'\]"),
        ({"examples": []}, "ofrece al menos uno"),
        ({"sprite": bytes(200_000)}, "el límite es 200 kB"),
    ],
)
def test_usage_errors(changes, message):
    with pytest.raises(ValueError, match=message):
        gallery(**changes)
