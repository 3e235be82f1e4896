"""El buscador del sitio: encuentra con tildes y sin ellas, por concepto y con el teclado."""

import re

import pytest

from tests.site.search_queries import QUERIES
from tests.site.server import serve
from tests.site.static_page import overflow

search = pytest.importorskip("course_site.search", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento
FIRST = 3
# Los primeros resultados de cada pregunta.
ASK = """async ([queries, first]) => Promise.all(queries.map(async (query) => {
  const { ranked } = await tfcourseSearch.ask(query);
  return ranked.slice(0, first).map(({ section }) => tfcourseSearch.urlOf(section));
}))"""
WORDS = ["claves", "clave", "redes", "matrices", "matriz", "pérdida", "loss", "veces", "análisis"]


@pytest.fixture(scope="module")
def address(site):
    with serve(site) as url:
        yield url


@pytest.fixture
def page(browser, address):
    opened = browser.new_page()
    opened.problems = []
    opened.on("pageerror", lambda error: opened.problems.append(str(error)))
    opened.on(
        "request",
        lambda r: r.url.startswith((address, "data:", "blob:")) or opened.problems.append(r.url),
    )
    yield opened
    assert opened.problems == []
    opened.close()


def ask(page, address, query: str) -> list[str]:
    """Escribe una consulta y devuelve adónde llevan los resultados."""
    page.goto(f"{address}search.html")
    page.get_by_label("Palabras que buscas").fill(query)
    page.get_by_role("status").filter(has_text=f"«{query}»").wait_for()
    if "Nada" not in page.get_by_role("status").inner_text():
        page.locator("#resultados a").first.wait_for()
    return [link.get_attribute("href") for link in page.locator("#resultados a").all()]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("codificación posicional", "glosario.html#term-codificacion-posicional"),
        ("codificacion posicional", "glosario.html#term-codificacion-posicional"),
        ("softmax", "glosario.html#term-softmax"),
        ("DETR", "detr"),
        ("atencion multicabeza", "autoatencion_multicabeza"),
        ("Bahdanau", "secuencia_a_secuencia"),
        ("máscara causal", "glosario.html#term-mascara-causal"),
        ("compuertas", "lstm_gru"),
        ("MultiHeadAttention", "referencia/paquete/piso_2/layers"),
    ],
)
def test_finds_the_concept(page, address, query, expected):
    found = ask(page, address, query)
    assert any(expected in link for link in found[:12]), found


def test_every_question_is_answered_in_the_first_results(page, address):
    page.goto(f"{address}search.html")
    answers = page.evaluate(ASK, [list(QUERIES), FIRST])
    wrong = {
        query: found
        for (query, expected), found in zip(QUERIES.items(), answers, strict=True)
        if not any(expected in link for link in found)
    }
    assert len(QUERIES) >= 64 and not wrong


def test_page_and_index_agree_on_the_stem_of_a_word(page, address):
    page.goto(f"{address}search.html")
    words = [search.folded(word) for word in WORDS]
    found = page.evaluate("(words) => words.map(tfcourseSearch.stem)", words)
    assert found == [search.stem(word) for word in words]


def test_results_are_sections_and_say_their_page(page, address):
    links = ask(page, address, "máscara causal")
    assert sum("#" in link for link in links) > len(links) / 2
    item = page.locator("#resultados li", has=page.locator("a[href*='#']")).first
    assert item.locator(".lugar").inner_text()


def test_titles_answer_before_the_rest_of_the_index_arrives(page, address):
    page.route("**/buscar/[pt]-*.js", lambda route: None)  # nunca llegan
    page.goto(f"{address}search.html")
    page.locator("#consulta").press_sequentially("alineam")
    page.locator("#resultados a[href*='alineamiento']").first.wait_for()


def test_accents_do_not_change_what_is_found(page, address):
    def counted(query):
        ask(page, address, query)
        return page.get_by_role("status").inner_text().split(" sobre ")[0]

    for accented, bare in [("atención", "atencion"), ("secuencia vacía", "secuencia vacia")]:
        assert counted(accented) == counted(bare)


def test_results_lead_where_they_say(page, address):
    for link in ask(page, address, "máscara causal"):
        page.goto(address + link)
        anchor = link.partition("#")[2]
        assert not anchor or page.locator(f"[id='{anchor}']").count() == 1, link


def test_nothing_found_is_said_in_spanish(page, address):
    assert ask(page, address, "zzxqv wkjhq") == []
    assert "Nada sobre «zzxqv wkjhq»" in page.get_by_role("status").inner_text()


def test_everything_by_keyboard(page, address):
    """De una página cualquiera al resultado, sin tocar el ratón."""
    page.goto(f"{address}chapters/glosario.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"search\.html\?q=softmax"))
    page.locator("#resultados a").first.wait_for()
    assert page.locator("#consulta").evaluate("e => e === document.activeElement")
    page.keyboard.press("ArrowDown")
    first = page.locator(":focus").get_attribute("href")
    page.keyboard.press("ArrowDown")
    assert page.locator(":focus").get_attribute("href") != first
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}{first}")


def test_query_in_the_address_is_answered(page, address):
    page.goto(f"{address}search.html?q=compuertas")
    page.locator("#resultados a").first.wait_for()
    page.get_by_label("Palabras que buscas").fill("")
    page.wait_for_function("!document.querySelector('#resultados a')")
    page.wait_for_url(f"{address}search.html")


def test_more_results_on_demand(page, address):
    ask(page, address, "red")
    before = page.locator("#resultados > li").count()
    page.get_by_role("button", name="Mostrar más resultados").click()
    page.wait_for_function(f"document.querySelectorAll('#resultados > li').length > {before}")
    assert page.locator(f"#resultados > li:nth-child({before + 1}) a:focus").count() == 1


def test_works_opened_as_a_file_and_fits_a_phone(site, browser):
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto((site / "search.html").as_uri() + "?q=softmax")
    page.locator("#resultados mark").first.wait_for()
    assert overflow(page) <= 0
    page.close()


def test_plural_and_singular_are_the_same_and_the_whole_word_wins(page, address):
    assert ask(page, address, "máscaras causales") == ask(page, address, "máscara causal")
    marks = set()
    ask(page, address, "DETR")
    for mark in page.locator("#resultados mark").all():
        marks.add(mark.inner_text().casefold())
    assert "detr" in marks and all("detr" in mark and mark != "detrás" for mark in marks)
