"""En un móvil: las fórmulas enteras, lo que no cabe lo dice, y las figuras, sin invertir."""

import re

import pytest

from tests.site.static_page import overflow

pytestmark = pytest.mark.lento
PAGE = "chapters/2_transformer/autoatencion_multicabeza.html"
FORMULA, FIGURE, WIDE_FIGURE = "#equation-eq-atencion", "#fig-convolucion", "#fig-alcance"
ALIGNED = "#equation-eq-multicabeza"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
# Lo que se sale de su caja sin avisar, de lo que está cerca de la vista.
SILENT = """() => [...document.querySelectorAll(
  ".bd-article :is(.katex-display, pre, figure, .lamina, .pst-scrollable-table-container)"
)].filter((box) => {
  const { top, bottom } = box.getBoundingClientRect();
  const near = bottom > 0 && top < innerHeight;
  const wide = box.checkVisibility() && box.scrollWidth > box.clientWidth;
  return near && wide && !box.matches(".desliza[tabindex='0']");
}).map((box) => box.outerHTML.slice(0, 80))"""
MEASURES, STYLE = "chapters/referencia/medidas.html", "chapters/referencia/estilo.html"
COMMANDS = "chapters/referencia/completo.html"
FINGER = 24  # píxeles: el alto de lo que se toca, como poco (WCAG 2.2, criterio 2.5.8)
SIDES = """() => [".bd-article h1", ".prev-next-footer > :first-child", ".fallo"].map((one) => {
  const { left, right } = document.querySelector(one).getBoundingClientRect();
  return [Math.round(left), Math.round(right)];
})"""
# Anterior, siguiente y el aviso de un fallo: dónde empieza y acaba cada uno, de arriba abajo.
FOOT = """() => [...document.querySelectorAll(".prev-next-area a, .fallo")].map((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return [Math.round(top), Math.round(bottom)];
})"""
# En cuántos renglones queda cada código de una columna de las tablas.
LINES = """(column) => [...document.querySelectorAll(`.bd-article ${column} code`)].map((code) => {
  const text = document.createRange();
  text.selectNodeContents(code);
  const tops = [...text.getClientRects()].map((box) => Math.round(box.top));
  return [code.textContent, new Set(tops).size];
})"""
HEIGHTS = """() => [...document.querySelectorAll(".genindextable li")].map(
  (entry) => entry.getBoundingClientRect().height)"""
WIDE_TABLE = ".pst-scrollable-table-container.desliza"


@pytest.fixture
def page(site, browser, request):
    """Un capítulo en un móvil; con el tema claro, si la prueba no pide el oscuro."""
    theme = getattr(request, "param", "light")
    opened = browser.new_page(**PHONE, reduced_motion="reduce")
    opened.problems = []
    opened.on("pageerror", lambda error: opened.problems.append(str(error)))
    opened.add_init_script(f"localStorage.mode = localStorage.theme = '{theme}'")
    opened.goto((site / PAGE).as_uri(), wait_until="load")
    yield opened
    assert opened.problems == [] and overflow(opened) <= 0
    opened.close()


def look(page, selector: str):
    """Lleva la página hasta un elemento y espera a que se mida lo que hay cerca."""
    found = page.locator(selector).first
    found.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    return found


def test_the_formula_of_attention_is_whole_and_its_number_below(page):
    formula = look(page, f"{FORMULA} .katex-display")
    assert formula.evaluate("box => box.scrollWidth <= box.clientWidth")
    number = page.locator(f"{FORMULA} .eqno").bounding_box()
    shown = formula.bounding_box()
    assert number["y"] >= shown["y"] + shown["height"] - 1


def test_aligned_equations_go_one_by_one_and_fit(page):
    look(page, ALIGNED)
    lines = page.locator(f"{ALIGNED} .katex-display >> visible=true")
    assert lines.count() > 1
    assert all(box.evaluate("box => box.scrollWidth <= box.clientWidth + 1") for box in lines.all())
    page.set_viewport_size({"width": 1440, "height": 844})
    assert lines.count() == 1


def test_a_figure_that_pans_says_so_beside_it(page):
    """Un letrero bajo el dibujo y ante el pie, que no se mueve; al final, ya no hace falta."""
    figure = page.locator(WIDE_FIGURE)
    sheet = look(page, f"{WIDE_FIGURE} .lamina")
    assert sheet.get_attribute("tabindex") == "0" and sheet.get_attribute("role") == "group"
    assert "se desliza" in sheet.get_attribute("aria-label")
    style = "(box, name) => getComputedStyle(box, '::after')[name]"
    assert "Desliza" in sheet.evaluate(style, "content")
    assert figure.evaluate("box => box.scrollWidth <= box.clientWidth")
    caption = figure.locator("figcaption")
    before = caption.bounding_box()["x"]
    sheet.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    page.wait_for_function(f"document.querySelector('{WIDE_FIGURE} .al-final')")
    assert sheet.evaluate(style, "visibility") == "hidden"
    assert caption.bounding_box()["x"] == before
    fits = look(page, f"{FIGURE} .lamina")
    assert fits.get_attribute("role") is None and fits.evaluate(style, "content") == "none"


def test_what_does_not_fit_says_so_and_its_first_column_stays(page):
    for selector in (FORMULA, FIGURE, "table >> nth=1", "pre >> nth=4"):
        look(page, selector)
        assert page.evaluate(SILENT) == [], selector
    table = page.locator(WIDE_TABLE).first
    hint = table.evaluate("box => getComputedStyle(box, '::after').content")
    assert "Desliza" in hint
    first = table.locator("tr").nth(1).locator("th, td").first
    before = first.bounding_box()["x"]
    table.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    page.wait_for_function("document.querySelector('.desliza.al-final')")
    assert abs(first.bounding_box()["x"] - before) < 2


@pytest.mark.parametrize("page", ["dark"], indirect=True)
def test_figures_keep_their_meaning_at_night(page):
    """Ni se les da la vuelta a la luz ni se mezclan con el fondo."""
    styles = page.locator(".bd-article figure img").evaluate_all(
        "pictures => pictures.map((img) => ['filter', 'mixBlendMode', 'backgroundColor'].map("
        " (name) => getComputedStyle(img)[name]))"
    )
    assert styles
    for light, blend, paper in styles:
        assert "invert" not in light and blend == "normal" and paper == "rgb(255, 255, 255)"


def test_a_figure_is_enlarged_with_a_touch_or_with_a_key(page):
    viewer = page.locator("dialog.visor")
    look(page, f"{FIGURE} .trozos").tap()
    assert viewer.is_visible() and "Figura 8.1" in viewer.inner_text()
    assert viewer.locator("img").get_attribute("alt")
    page.keyboard.press("Escape")
    assert not viewer.is_visible()
    page.locator(f"{FIGURE} .ampliar").focus()
    page.keyboard.press("Enter")
    viewer.get_by_role("button", name="Siguiente").click()
    assert "Figura 8.2" in viewer.inner_text()


@pytest.mark.parametrize("page", ["dark"], indirect=True)
def test_a_piece_of_a_figure_lies_on_paper_as_dark_as_its_own(page):
    """Lo que la imagen no llega a tapar no brilla más que ella."""
    piece = look(page, f"{FIGURE} .trozo")
    style = "(box, name) => getComputedStyle(box)[name]"
    light = re.findall(r"[\d.]+", piece.locator("img").first.evaluate(style, "filter"))
    paper = re.findall(r"\d+", piece.evaluate(style, "backgroundColor"))
    assert [float(light[0]) * 255] * 3 == pytest.approx([int(one) for one in paper], abs=1)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", [PAGE, MEASURES])
def test_the_foot_of_a_page_is_in_line_with_its_text(site, browser, name, width):
    opened = browser.new_page(viewport={"width": width, "height": 844})
    opened.goto((site / name).as_uri())
    title, *foot = opened.evaluate(SIDES)
    assert foot == [title, title]
    opened.close()


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_nothing_slips_between_the_previous_page_and_the_next(site, browser, width):
    opened = browser.new_page(viewport={"width": width, "height": 844})
    opened.goto((site / STYLE).as_uri())
    before, after, note = opened.evaluate(FOOT)
    assert note[0] >= max(before[1], after[1])
    opened.close()


def test_the_name_of_a_row_is_in_one_piece(site, browser):
    opened = browser.new_page(**PHONE)
    opened.goto((site / MEASURES).as_uri())
    lines = opened.evaluate(LINES, "td:first-child")
    assert len(lines) > 20 and overflow(opened) <= 0
    assert [name for name, count in lines if count > 1 and len(name) <= 16] == []
    opened.close()


def test_no_word_of_a_table_is_broken(site, browser):
    opened = browser.new_page(**PHONE)
    opened.goto((site / COMMANDS).as_uri())
    lines = opened.evaluate(LINES, "td:not(:first-child)")
    assert len(lines) > 40 and overflow(opened) <= 0
    assert [code for code, count in lines if count > len(code.split())] == []
    opened.close()


def test_the_alphabetical_index_takes_the_whole_width(site, browser):
    opened = browser.new_page(**PHONE)
    opened.goto((site / "genindex.html").as_uri())
    entry = opened.locator(".genindextable li").first.bounding_box()
    assert entry["width"] > 300 and overflow(opened) <= 0
    opened.wait_for_function("!('cargando' in document.documentElement.dataset)")
    assert min(opened.evaluate(HEIGHTS)) >= FINGER
    opened.close()
