"""Las páginas de los símbolos: una por fila de la notación, y dónde aparece cada uno."""

import pytest

from tests.site.pages import parse

symbols = pytest.importorskip("course_site.symbols", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento


@pytest.mark.parametrize(
    ("symbol", "formula", "found"),
    [
        ("d_k", r"\sqrt{d_k}", True),
        ("d_k", r"QK^\top / \sqrt{d_{k}}", True),
        ("D", "D_h = D / H", True),
        ("D", "D_h", False),
        ("T", "Q^T", False),
        ("Z", "Z^{(t)} + 1", True),
        (r"\alpha_{t,i}", r"\sum_i \alpha_{t,i} h_i", True),
        (r"\mathbf{W_e}", "W_e x", True),
        ("H", r"\Theta", False),
    ],
)
def test_a_symbol_is_found_whole(symbol, formula, found):
    assert symbols.appears(symbols.tokens(symbol), symbols.tokens(formula)) is found


def test_a_list_of_symbols_is_several_symbols():
    assert symbols.COMMA.split(r"R, Z") == ["R", "Z"]
    assert symbols.COMMA.split(r"\alpha_{t,i}") == [r"\alpha_{t,i}"]
    assert symbols.COMMA.split(r"(B, L)") == ["(B, L)"]


def test_every_row_of_the_notation_leads_to_its_page(site):
    notation = parse(site / "chapters/notacion.html")
    rows = linked = 0
    for table in notation.select("article table"):
        titles = [cell.get_text(strip=True) for cell in table.select("thead th, thead td")]
        if symbols.MEANING in titles:
            rows += len(table.select("tbody tr"))
            linked += len(table.select("tbody tr:has(a[href^='simbolos/'])"))
    pages = list((site / "chapters/simbolos").glob("*.html"))
    assert rows == linked == len(pages) > 50


def test_the_page_of_a_symbol_says_where_it_appears(site):
    article = parse(site / "chapters/simbolos/tamano-de-consultas-y-claves.html").article
    assert "d_k" in article.h1.get_text()
    assert any("autoatencion_multicabeza" in link["href"] for link in article.select("li a"))
    gru = parse(site / "chapters/simbolos/compuertas-de-reinicio-y-de-actualizacion.html").article
    assert any("lstm_gru" in link["href"] for link in gru.select("li a"))
    assert gru.select_one("dl a[href*='GRUCell']")
