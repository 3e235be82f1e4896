"""Buscador de textos: BM25 y la fusión dan lo mismo que en Python; por teclado y sin núcleo."""

import random

import numpy as np
import pytest
import torch

from tests.site.static_page import open_page, overflow, widget_state, write_page
from tests.widgets.engine import run_engine
from tfcourse.models.inverted import Bm25
from tfcourse.text.search.hybrid import fused_by_place, places
from tfcourse.widgets import FindingWidget
from tfcourse.widgets.base import _FOLDER

DOCUMENTS = {
    "Cremación": "Práctica funeraria que deshace un cadáver con fuego: las cenizas van a una urna.",
    "Apicultura": "La apicultura es la cría de las abejas; el apicultor cría abejas y da miel.",
    "Miel": "Miel: la que hacen las abejas con el néctar. Año 1519, niño_a, café y piñón.",
    "Ruleta": "La ruleta es un juego de azar de los casinos.",
    "Vacío y signos": "¡!… «—»",
    "Natación": "Nadar es moverse por el agua.",
}
QUERIES = {
    "quemar a los muertos": ("Cremación", [0.84, 0.7, 0.71, 0.72, 0.6, 0.73]),
    "criar abejas": ("Apicultura", [0.7, 0.85, 0.86, 0.6, 0.61, 0.62]),
}


def finding(**changes) -> FindingWidget:
    fields = {"documents": DOCUMENTS, "queries": QUERIES, "examples": list(QUERIES)}
    return FindingWidget(**fields | changes)


def drawn_queries(n=60) -> list[str]:
    rng = random.Random(0)
    words = [*" ".join(DOCUMENTS.values()).split(), "NADA", "Ñu", "el", "ÁRBOL", "1519", "a"]
    return ["", *(" ".join(rng.choices(words, k=rng.randint(1, 6))) for _ in range(n))]


@pytest.mark.lento
def test_the_page_counts_words_like_python(tmp_path):
    script = """
const index = new WordIndex(INPUT.texts);
ANSWER.scores = INPUT.queries.map((query) => index.scores(query));
ANSWER.places = ANSWER.scores.map(placesOf);
ANSWER.fused = ANSWER.scores.map((own, i) => fuseByPlace([own, INPUT.other[i]]));
"""
    queries, texts = drawn_queries(), list(DOCUMENTS.values())
    other = torch.rand(len(queries), len(texts), generator=torch.Generator().manual_seed(0))
    given = {"texts": texts, "queries": queries, "other": other.tolist()}
    source = (_FOLDER / "counting.js").read_text(encoding="utf-8")
    found = run_engine(tmp_path, script, given, {}, source)
    index = Bm25(texts)
    expected = torch.stack([index.scores(query) for query in queries])
    np.testing.assert_allclose(found["scores"], expected, atol=1e-4)
    assert float(expected.max()) > 1 and not expected[0].any()
    assert found["places"] == places(expected).tolist()
    np.testing.assert_allclose(found["fused"], fused_by_place([expected, other]), atol=1e-6)


@pytest.fixture
def page(browser, tmp_path):
    models = {"m": widget_state(finding())}
    opened = open_page(browser, write_page(tmp_path, models=models, views=models), width=360)
    opened.wait_for_selector(".tfc-finds li")
    yield opened
    assert opened.problems == []
    opened.close()


def listed(page, name: str) -> list[str]:
    return (
        page.get_by_role("list", name=f"Los primeros de {name}")
        .locator(".tfc-name")
        .all_text_contents()
    )


def told(page) -> str:
    return page.get_by_role("status").inner_text()


def test_opens_with_what_words_cannot_find(page):
    assert listed(page, "BM25") == ["Ruleta"]  # por «los»
    assert listed(page, "E5")[0] == "Cremación ✓"
    assert "BM25 lo deja en el puesto 6 de 6, sin compartir ninguna palabra; E5, en el 1" in told(
        page
    )
    assert "está guardado" in told(page)


def test_what_is_typed_is_searched_by_words_and_the_missing_vector_is_told(page):
    box = page.get_by_role("combobox", name="Tu consulta")
    box.fill("  el CASINO de los casinos ")
    box.press("Enter")
    assert listed(page, "BM25")[0] == "Ruleta"
    assert listed(page, "E5") == [] and listed(page, "los dos") == []
    assert "que no cabe en la página: solo hay guardadas 2" in told(page)
    assert page.get_by_text("Sin vector guardado.").count() == 2
    box.fill(" ")
    box.press("Enter")
    assert told(page).startswith("Escribe una consulta")


def test_a_stored_query_is_searched_at_once_and_by_its_button(page):
    page.get_by_role("combobox").fill("Criar  ábejas")
    assert listed(page, "E5")[0] == "Miel" and listed(page, "BM25")[:1] == ["Apicultura ✓"]
    page.get_by_role("button", name="quemar a los muertos").press("Enter")
    assert page.get_by_role("combobox").input_value() == "quemar a los muertos"
    assert listed(page, "E5")[0] == "Cremación ✓"
    assert listed(page, "los dos")[:2] == ["Ruleta", "Cremación ✓"]  # BM25 vota por «los»


def test_fits_in_a_phone_and_in_the_dark(page):
    assert overflow(page) == 0
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert overflow(page) == 0 and listed(page, "E5")


def test_cosines_travel_as_whole_numbers():
    assert finding().state["cosines"][0] == [8400, 7000, 7100, 7200, 6000, 7300]
    assert repr(finding()) == "FindingWidget(6 documentos, 2 consultas)"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"documents": {}, "queries": {}}, "hay 0 documentos"),
        ({"examples": []}, "0 ejemplos: hace falta alguno"),
        ({"queries": {"x": ("Otro", [0.0] * 6)}}, "'x' busca 'Otro'"),
        ({"queries": {"x": ("Miel", [0.0] * 5)}}, "trae 5 cosenos.*uno por documento, 6"),
        ({"documents": {"Miel": "a" * 200_000}, "queries": {}}, "el límite es 200 kB"),
    ],
)
def test_usage_errors(changes, message):
    with pytest.raises(ValueError, match=message):
        finding(**changes)
