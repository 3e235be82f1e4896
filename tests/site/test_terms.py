"""Los términos del glosario en los capítulos: cuáles se enlazan y cómo se enseña su definición."""

import re

import pytest

from tests.conftest import ROOT
from tests.site.pages import parse, written_pages
from tests.site.server import serve

terms = pytest.importorskip("course_site.terms", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento
# Actas que no dan DOI y conservan sus direcciones.
PROCEEDINGS = (
    r"proceedings\.mlr\.press|jmlr\.org|aclanthology\.org|proceedings\.neurips\.cc|dl\.acm\.org"
)
PAGE = "chapters/1_recurrencia/secuencia_a_secuencia.html"


@pytest.fixture
def page(site, browser):
    with serve(site) as address:
        opened = browser.new_page(viewport={"width": 360, "height": 740})
        opened.problems = []
        opened.on("pageerror", lambda error: opened.problems.append(str(error)))
        opened.goto(address + PAGE, wait_until="networkidle")
        yield opened
        assert opened.problems == []
        opened.close()


def test_each_term_is_linked_once_and_has_a_definition(site):
    text = (site / terms.NAME).read_text(encoding="utf-8")
    for path in written_pages(site):
        links = parse(path).select("article a.termino")
        anchors = [link["href"].partition("#")[2] for link in links]
        assert len(anchors) == len(set(anchors)), path
        assert all(f'"{anchor}":' in text for anchor in anchors), path
        if not re.search(r"chapters/\d_", path.as_posix()):
            assert not links, path
        for link in links:
            assert not link.find_parent(["h1", "h2", "h3", "pre", "code", "figcaption"]), path
    assert len(parse(site / PAGE).select("a.termino")) > 10


def test_a_word_with_another_sense_is_not_linked(site):
    for path in written_pages(site):
        article = parse(path).select_one("article")
        for name in terms.OTHER_SENSE.get(terms.chapter(path.stem), ()):
            linked = [link.get_text() for link in article.select("a.termino")]
            assert not any(terms.one_term(name).fullmatch(text) for text in linked), path
    seeds = parse(site / "chapters/4_vision/segmentacion.html").select_one("article")
    assert terms.one_term("semilla").search(seeds.get_text())  # está, y no se enlaza


def test_every_term_of_the_glossary_has_a_definition(site):
    text = (site / terms.NAME).read_text(encoding="utf-8")
    for term in parse(site / "chapters/glosario.html").select("dl.glossary > dt[id]"):
        assert re.search(rf'"{re.escape(term["id"])}":"[^"]{{20,}}', text), term["id"]
    assert "katex-html" not in text and "annotation" not in text


def test_definition_on_focus_and_away_with_escape(page):
    card = page.get_by_role("tooltip")
    link = page.locator("a.termino").first
    assert not card.is_visible()
    link.focus()
    card.wait_for()
    assert link.get_attribute("aria-describedby") == card.get_attribute("id")
    assert len(card.inner_text()) > 20
    box = card.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    page.keyboard.press("Escape")
    assert not card.is_visible() and link.get_attribute("aria-describedby") is None
    assert page.locator(":focus").get_attribute("href") == link.get_attribute("href")


def test_definition_stays_while_the_pointer_is_on_it(page):
    card = page.get_by_role("tooltip")
    link = page.locator("a.termino").first
    link.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    link.hover()
    card.wait_for()
    card.hover()
    page.wait_for_timeout(500)
    assert card.is_visible()
    page.mouse.move(1, 1)
    card.wait_for(state="hidden")


def test_a_touch_shows_the_definition_and_another_follows_the_link(site, browser):
    page = browser.new_page(viewport={"width": 390, "height": 740}, has_touch=True)
    page.goto((site / PAGE).as_uri(), wait_until="load")
    page.wait_for_function("window.tfcourseTerms")
    link = page.locator("a.termino").nth(2)
    link.tap()
    assert "otra vez" in page.get_by_role("tooltip").inner_text() and PAGE in page.url
    link.tap()
    page.wait_for_url("**/glosario.html#term-*")
    page.close()


@pytest.mark.parametrize(
    ("term", "written", "linked"),
    [
        ("atención", "Atenciones", True),
        ("máscara causal", "máscaras causales", True),
        ("red", "redes", True),
        ("softmax", "softmax", True),
        ("GRU", "gru", True),
        ("red", "enredo", False),
        ("atención", "atencional", False),
    ],
)
def test_a_term_in_other_forms(term, written, linked):
    found = terms.pattern((term,)).search(f"La {written}.")
    assert bool(found) == linked


def test_citations_lead_to_a_permanent_address(site):
    """Cada artículo enlaza su DOI o su arXiv; si no tiene, las actas en que salió."""
    text = (ROOT / "chapters/referencias.bib").read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=@)", text)[1:]:
        permanent = re.search(r"\b(doi|eprint) = \{[^}]+\}", entry)
        proceedings = re.search(rf"\burl = \{{https://({PROCEEDINGS})/", entry)
        assert permanent or proceedings or re.match(r"@(book|misc)", entry), entry.split("\n")[0]
    listed = parse(site / "chapters/bibliografia.html").select("article .citation")
    assert len(listed) > 20
    for citation in listed:
        assert citation.select_one('a[href^="http"]'), citation.get_text()[:80]
