"""Leer el curso: dónde se está, los modos, lo que se recuerda en el equipo y sin red."""

import json
import re

import pytest
import yaml

from tests.conftest import ROOT
from tests.site.pages import parse, written_pages
from tests.site.server import serve
from workshop.notebooks import book_chapters

offline = pytest.importorskip("course_site.offline", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento
HOME, FIRST = "chapters/intro.html", "chapters/1_recurrencia/redes_recurrentes.html"
EXERCISES = FIRST.replace(".html", "_ejercicios.html")
HEADING = "h2[id] >> nth=2"
WIDE_CODE = """[...document.querySelectorAll(".cell_input pre")].filter(
  (code) => code.scrollWidth > code.clientWidth).length"""
# Lo que rodea a un código largo y no se puede partir entre dos hojas: dejaría media en blanco.
WHOLE = """[...document.querySelectorAll(".cell :not(.corto) > pre")].flatMap((code) => {
  const around = [];
  for (let box = code; !box.matches(".cell"); box = box.parentElement) around.push(box);
  return around.filter((box) => {
    const style = getComputedStyle(box);
    return style.breakInside !== "auto" || style.overflowY !== "visible";
  });
}).map((box) => box.className)"""


@pytest.fixture
def page(site, browser):
    """Una página servida, en un equipo que aún no recuerda nada."""
    with serve(site) as address:
        opened = browser.new_context(base_url=address).new_page()
        opened.problems = []
        opened.on("pageerror", lambda error: opened.problems.append(str(error)))
        yield opened
        assert opened.problems == []
        opened.context.close()


def test_every_chapter_says_where_it_is_and_what_it_asks(site):
    data = yaml.safe_load((ROOT / "chapters/mapa.yml").read_text(encoding="utf-8"))
    entries = {one["slug"]: one for part in data["partes"] for one in part["capitulos"]}
    for chapter in book_chapters(ROOT):
        lesson, exercises = (parse(site / f"{n}.html") for n in (chapter.page, chapter.exercises))
        assert len(lesson.select(".migas li")) == 3 and len(exercises.select(".migas li")) == 4
        assert exercises.select(".migas a")[2]["href"] == f"{chapter.slug}.html"
        title = lesson.select_one("article h1")
        question = entries[chapter.slug]["pregunta"]
        assert title.find_next_sibling().get_text() == question and not exercises.select(
            ".pregunta"
        )


def test_machines_are_told_what_each_page_is(site):
    for page in written_pages(site):
        found = [json.loads(s.string) for s in parse(page).select('script[type*="ld+json"]')]
        chapter = re.search(r"chapters/\d_", page.as_posix())
        assert len(found) == bool(chapter or page.match("chapters/intro.html")), page
        if chapter:
            lesson, trail = found[0]
            assert lesson["@type"] == "LearningResource" and lesson["url"].endswith(page.name)
            assert trail["itemListElement"][-1]["item"] == lesson["url"]


def test_first_comes_the_question_and_the_rest_is_folded(site):
    for chapter in book_chapters(ROOT):
        article = parse(site / f"{chapter.page}.html").select_one("article")
        assert article.select_one(".tag_preparacion > details:not([open]) .cell_input"), chapter
        assert article.select_one(".ficha > details.objetivos:not([open]) li"), chapter


def test_reading_without_code_lasts(page):
    page.goto(FIRST)
    code = page.locator(".bd-article .cell_input:visible")
    assert code.count() > 0
    page.get_by_label("Cómo leer").click()
    page.get_by_label("Leer sin el código").check()
    page.reload()
    assert code.count() == 0 and page.locator(".bd-article .cell_output:visible").count() > 0
    page.get_by_label("Cómo leer").click()
    assert page.get_by_label("Leer sin el código").is_checked()


def test_code_is_wrapped_when_asked(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(FIRST)
    assert page.evaluate(WIDE_CODE) > 0
    page.get_by_label("Cómo leer").click()
    page.get_by_label("Ajustar el código al ancho").check()
    assert page.evaluate(WIDE_CODE) == 0


# Lo que se presenta de un capítulo, contado aparte: títulos, figuras y fórmulas.
SHOWN = """[...document.querySelectorAll(".bd-article")].flatMap((article) =>
  [...article.querySelectorAll("h1, h2, h3, figure img:not(.pieza), div.math")]
).filter((one) => !one.closest("nav, .ficha, .exercise, .tfc, details, .footnote")).length"""
# Cuánto de lo que se presenta se sale del lienzo.
OUTSIDE = """(() => {
  const canvas = document.querySelector(".presentacion-lienzo").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".presentacion-hoja *")].filter((one) =>
    one.matches("h2, h3, p, li, img, .katex-html"));
  return parts.map((one) => one.getBoundingClientRect()).filter((box) => box.width &&
    (box.left < canvas.left - 1 || box.right > canvas.right + 1 ||
     box.top < canvas.top - 1 || box.bottom > canvas.bottom + 1)).length;
})()"""

ZOOM = "Number(document.querySelector('.presentacion-hoja').style.zoom)"


def present(page):
    page.get_by_label("Cómo leer").click()
    page.get_by_role("button", name="Presentarla en clase").click()
    page.locator(".presentacion[open]").wait_for()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_a_chapter_is_presented_in_class(page, width, height):
    """Una diapositiva por título, figura o fórmula; todas caben enteras, y se pasan con teclas."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(FIRST)
    wanted = page.evaluate(SHOWN)
    present(page)
    count = page.locator(".presentacion-cuenta")
    assert count.inner_text() == f"1 de {wanted}" and wanted > 30
    pictures = 0
    for place in range(wanted):
        assert count.inner_text() == f"{place + 1} de {wanted}"
        picture = page.locator(".presentacion-hoja img")
        if picture.count():
            picture.evaluate("one => one.decode()")
            pictures += 1
        page.wait_for_function(f"{OUTSIDE} === 0", timeout=3_000)
        assert page.evaluate(ZOOM) > 0.4, f"la diapositiva {place + 1} no se lee"
        page.keyboard.press("ArrowRight" if place % 2 else "Space")
    assert pictures == page.locator(".bd-article figure img:not(.pieza)").count() > 5
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert count.inner_text() == f"1 de {wanted}"
    page.keyboard.press("End")
    assert count.inner_text() == f"{wanted} de {wanted}"
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Siguiente").click()  # se desactiva, y las teclas siguen yendo
    page.keyboard.press("ArrowLeft")
    assert count.inner_text() == f"{wanted - 1} de {wanted}"
    page.keyboard.press("Escape")
    assert page.locator(".presentacion").is_hidden() and "#diapositiva" not in page.url


def test_a_presentation_goes_on_where_it_was(page):
    """La dirección recuerda la diapositiva, y al salir se sigue leyendo por ella."""
    page.goto(f"{FIRST}#diapositiva-12")
    page.locator(".presentacion[open]").wait_for()
    assert page.locator(".presentacion-cuenta").inner_text().startswith("12 de ")
    page.keyboard.press("PageDown")
    assert page.url.endswith("#diapositiva-13")
    page.keyboard.press("Escape")
    before = page.evaluate("scrollY")
    assert before > 300
    present(page)
    assert page.locator(".presentacion-cuenta").inner_text().startswith("13 de ")


def test_a_presentation_follows_the_address(page):
    """Un enlace de la diapositiva pasa a la que lo tiene; hacia otro lugar, se sale."""
    page.goto(f"{FIRST}#diapositiva-12")
    count = page.locator(".presentacion-cuenta")
    page.locator(".presentacion[open]").wait_for()
    page.evaluate("location.hash = '#diapositiva-3'")
    page.wait_for_function("document.querySelector('.presentacion-cuenta').textContent[0] === '3'")
    name = page.locator(".bd-article figure[id] >> nth=1").get_attribute("id")
    page.evaluate("name => (location.hash = name)", name)
    page.locator(".presentacion-hoja figure").wait_for()
    shown = count.inner_text()
    assert not shown.startswith("3 ") and page.url.endswith(f"#diapositiva-{shown.split()[0]}")
    page.go_back()
    page.wait_for_function("document.querySelector('.presentacion-cuenta').textContent[0] === '3'")
    page.evaluate("location.hash = 'pst-primary-sidebar'")
    page.locator(".presentacion").wait_for(state="hidden")
    assert page.url.endswith("#pst-primary-sidebar")


def test_the_place_is_remembered(page):
    page.goto(FIRST)
    heading = page.locator(HEADING)
    name = heading.get_attribute("id")
    heading.evaluate("title => title.scrollIntoView()")
    page.wait_for_function("localStorage.leido?.includes('anchor')")
    page.goto(FIRST)
    assert page.locator(f".sigue a[href='#{name}']").is_visible()
    page.goto(HOME)
    page.locator(".sigue a").click()
    page.wait_for_url(f"**/{FIRST}#{name}")


def test_what_is_done_counts_in_its_part(page):
    page.goto(EXERCISES)
    page.get_by_label("Ejercicio hecho").first.check()
    page.reload()
    assert page.get_by_label("Ejercicio hecho").first.is_checked()
    page.goto(FIRST)
    page.get_by_label("He leído esta página").check()
    page.goto(HOME)
    (told,) = page.locator(".llevas").all_inner_texts()
    assert re.fullmatch(r"Llevas 1 de \d capítulos leídos y 1 ejercicio hecho\.", told)
    assert page.locator(f".mapa-titulo a.leido[href*='{FIRST.split('/')[-1]}']").count() == 1
    page.get_by_label("Cómo leer").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Olvidar lo leído").click()
    assert page.locator(".llevas, .leido").count() == 0


def test_a_quiz_is_remembered(page):
    page.goto(FIRST)
    forms = page.locator(".tfc-question")
    for place in range(forms.count()):
        form = forms.nth(place)
        form.locator("input").first.check()
        form.get_by_role("button", name="Comprobar").click()
    score = page.locator(".tfc-score")
    right = re.search(r"\d+ de \d+", score.inner_text())[0]
    page.wait_for_function("localStorage.leido?.includes('right')")
    page.reload()
    assert f"La última vez: {right}" in score.inner_text()


def test_what_was_visited_is_read_without_network(page):
    page.goto(FIRST, wait_until="networkidle")
    page.wait_for_function(
        "caches.open('tfcourse').then((c) => c.keys()).then((all) =>"
        f" ['{FIRST}', 'curso.css'].every((name) => all.some((one) => one.url.endsWith(name))))"
    )
    page.context.set_offline(True)
    page.goto(FIRST)
    assert page.locator("article h1").inner_text().startswith("1. ")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--tfc-ink')")
    page.goto(EXERCISES)
    assert page.locator("h1").inner_text() == "Esta página no está guardada"


def test_the_whole_course_is_what_its_list_says(site, browser):
    stored = json.loads((site / offline.NAME).read_text(encoding="utf-8"))
    files = set(stored["files"])
    assert all((site / name).is_file() for name in files)
    needed = {p.relative_to(site).as_posix() for p in written_pages(site)}
    left = {name for name in needed - files if offline.LEFT_OUT[1] not in name}
    assert not left and "_static/curso.css" in files and "search.html" in files
    with serve(site) as address:
        page = browser.new_context(base_url=address).new_page()
        page.goto(HOME, wait_until="networkidle")
        page.get_by_label("Cómo leer").click()
        button = page.get_by_role("button", name="Guardar el curso")
        button.wait_for()
        assert f"({round(stored['bytes'] / 1e6)} MB)" in button.inner_text()
        page.context.close()


def test_a_panel_says_where_its_controls_can_be_moved(site):
    for chapter in book_chapters(ROOT):
        page = parse(site / f"{chapter.page}.html")
        notes = page.select("p.panel-nota")
        assert len(notes) == len(page.select("div.cell.tag_panel")), chapter.page
        for note in notes:
            assert note.a["href"].endswith(f"/{chapter.page}.ipynb")
            assert "tag_panel" in note.find_next_sibling("div")["class"]


GAPS = """(note) => {
  const box = (element) => element.getBoundingClientRect();
  const [before, after] = [note.previousElementSibling, note.nextElementSibling];
  return [box(note).top - box(before).bottom, box(after.firstElementChild).top - box(note).bottom];
}"""


@pytest.mark.parametrize("width", [390, 1440])
def test_the_note_of_a_panel_touches_nothing(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(FIRST)
    above, below = page.locator(".panel-nota").first.evaluate(GAPS)
    assert above >= 12 and below >= 12, (above, below)


def test_code_is_split_between_two_sheets_of_paper(page):
    page.goto(FIRST)
    assert page.evaluate(WHOLE) != []
    page.emulate_media(media="print")
    assert page.evaluate(WHOLE) == []


def test_the_code_of_a_quiz_is_not_printed(page):
    page.goto(FIRST)
    code = page.locator(".cell:has(.tfc-quiz) .cell_input")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert code.count() == 1 and not code.is_visible()
    assert page.locator(".tfc-quiz").is_visible()
