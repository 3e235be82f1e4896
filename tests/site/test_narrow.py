"""Las figuras en un móvil: ninguna letra de menos de once píxeles, ni nada cortado."""

import io
from base64 import b64decode

import nbformat
import numpy as np
import pytest
from PIL import Image, ImageDraw

from tests.conftest import ROOT
from tests.site.pages import written_pages
from tests.site.static_page import overflow
from tests.turns import pages_in_turn

drawings = pytest.importorskip("course_site.drawings", reason="falta sphinx (extra «libro»)")
from course_site import maths  # noqa: E402
from course_site.cutting import WHITE, Box, cut_up  # noqa: E402
from course_site.small_print import functions, smallest_points  # noqa: E402

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
WIDTHS = (320, 360, 390)
PAGE = "chapters/1_recurrencia/lstm_gru.html"
# Figuras con letra más pequeña, con su motivo. La lista solo puede menguar.
SMALL: dict[str, str] = {}
# La letra más pequeña de cada figura que se ve, en píxeles de la pantalla.
LETTERS = """(least) => [...document.querySelectorAll(".bd-article figure")]
  .filter((figure) => figure.querySelector("img"))
  .map((figure) => {
    const seen = [...figure.querySelectorAll("img")].filter((one) => one.checkVisibility());
    const sizes = seen.map((one) => {
      const scale = parseFloat(getComputedStyle(one).getPropertyValue("--letra"));
      return one.getBoundingClientRect().width / one.getAttribute("width") * least / scale;
    });
    return [figure.id, seen.length ? Math.min(...sizes) : 0];
  })"""
# Lo que se corta de una fórmula entre palabras. Una pieza larga ocupa lo que la caja en que se
# desliza.
WORDS = """() => [...document.querySelectorAll(".bd-article span.math")]
  .filter((one) => !one.closest(".katex-display, .desliza") && one.checkVisibility())
  .filter((one) => {
    const bases = [...one.querySelectorAll(".katex-base")]
      .map((base) => (base.closest(".pieza-larga") ?? base).getBoundingClientRect());
    const column = one.closest("p, li, td, dd, figcaption, summary")?.getBoundingClientRect();
    return column && bases.some((base) => base.right > column.right + 1);
  })
  .map((one) => one.querySelector("annotation").textContent)"""
# De una pieza, porque lo que va entre \left y \right no se parte, y dónde se pone.
ONE_PIECE = r"\operatorname{norma}\!\left(X + \operatorname{GELU}(X W_1 + b_1)\, W_2 + b_2\right)"
PLACES = """(formula) => {
  const box = document.createElement("div");
  const shown = `<span class="math">${formula}</span>`;
  const inside = `Antes, ${shown} y <span class="junto">(${shown}),</span> después.`;
  box.innerHTML = `<p>${inside}</p><ol><li>Uno<ol><li><p>${inside}</p></li></ol></li></ol>
    <div class="pst-scrollable-table-container"><table><tr><td>${inside}</td></tr></table></div>`;
  document.querySelector(".bd-article section").prepend(box);
  const pieces = [...box.querySelectorAll("p .pieza-larga")];
  return pieces.map((one) => one.scrollWidth - one.clientWidth);
}"""
BLANK = 0.35  # lo más que una figura deja en blanco de un tirón, en partes de su alto o de su ancho
# Las imágenes de figuras que no ocupan su caja entera: por la ventana de un trozo se vería otro.
SHRUNK = """() => [...document.querySelectorAll(".bd-article .lamina img")]
  .filter((one) => one.checkVisibility())
  .map((one) => getComputedStyle(one).padding)
  .filter((padding) => padding !== "0px")"""
# Lo que se ve de una figura cortada: sus trozos, uno bajo otro y enteros en su caja.
PIECES = """(figure) => [...figure.querySelectorAll(".trozo")].map((piece) => {
  const { left, right, top, width } = piece.getBoundingClientRect();
  const parts = [...piece.children].map((one) => one.getBoundingClientRect().width);
  const inside = parts.reduce((sum, one) => sum + one, 0);
  return { left, right, top, whole: Math.abs(inside - width) < 1 };
})"""


def stored_figures():
    """Cada figura guardada: su nombre, su imagen en grises y lo que el sitio sabe de ella."""
    for path in sorted((ROOT / "chapters").glob("[0-9]_*/*.ipynb")):
        known = drawings.drawings(path)
        for cell in nbformat.read(path, as_version=4).cells if known else ():
            name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
            if name in known:
                data = next(
                    o.data["image/png"] for o in cell.outputs if "image/png" in o.get("data", {})
                )
                yield (
                    name,
                    np.asarray(Image.open(io.BytesIO(b64decode(data))).convert("L")),
                    known[name],
                )


def two_drawings(*, title: bool = False, name: bool = False) -> np.ndarray:
    """Dos ejes en fila; con un título común, o con un nombre ante los segundos."""
    image = Image.new("L", (400, 200), 255)
    pen = ImageDraw.Draw(image)
    for left in (40, 240):
        pen.line([(left, 30), (left, 180), (left + 120, 180)], fill=80, width=2)
    if title:
        pen.rectangle((30, 4, 300, 14), fill=0)
    if name:
        pen.rectangle((215, 60, 222, 130), fill=0)
    return np.asarray(image)


def test_the_smallest_letter_is_read_in_the_code():
    helper = functions("def ayuda(axes):\n    axes.text(0, 0, 'a', fontsize=7)\n")
    assert smallest_points("fig, ax = plots.figure()\nax.plot(x, markersize=3)", {}) == 10
    assert smallest_points("ax.legend(fontsize=8)\nrng.normal(size=5)", {}) == 8
    assert smallest_points("ayuda(ax)", helper) == 7
    assert smallest_points('ax.legend(prop={"fontsize": 6})\nayuda(ax)', helper) == 6


def test_a_cut_passes_between_two_drawings():
    (left,), (right,) = cut_up(two_drawings(), (1, 1))
    assert left.x < 40 and left.x + left.width < right.x < 240 and right.height == 200
    (_,), (right,) = cut_up(two_drawings(name=True), (1, 1))
    assert right.x < 215  # el nombre de un eje va con el suyo
    (title,), *rest = cut_up(two_drawings(title=True), (1, 1), titled=True)
    assert title == Box(26, 0, 279, title.height) and title.height < 30 and len(rest) == 2
    assert cut_up(np.zeros((50, 90), np.uint8), (1, 1)) == []


def test_no_stroke_of_a_figure_is_lost():
    cut = 0
    for name, pixels, drawn in stored_figures():
        left = pixels < WHITE
        for box in (box for piece in drawn.pieces for box in piece):
            left[box.y : box.y + box.height, box.x : box.x + box.width] = False
        assert not drawn.pieces or not left.any(), name
        cut += bool(drawn.pieces)
    assert cut > 90


def test_no_figure_is_half_blank():
    for name, pixels, _ in stored_figures():
        for side in (0, 1):
            (used,) = np.nonzero((pixels < WHITE).any(side))
            blank = np.diff([0, *used, pixels.shape[1 - side]]).max()
            assert blank < BLANK * pixels.shape[1 - side], (name, side)


@pytest.mark.sitio
@pytest.mark.parametrize("width", WIDTHS)
def test_a_formula_of_one_piece_slides_and_the_page_does_not(site, browser, width):
    html = maths.typeset(ONE_PIECE, False)["html"]
    page = browser.new_page(viewport={"width": width, "height": 844})
    for formula, slides in ((html, True), (html.replace("pieza-larga", ""), False)):
        page.goto((site / PAGE).as_uri())
        beyond = page.evaluate(PLACES, formula)
        assert len(beyond) == 4 * slides and all(one > 0 for one in beyond[2:])
        assert (overflow(page) <= 0) == slides == (not page.evaluate(WORDS))
    page.close()


@pytest.mark.sitio
def test_letters_and_formulas_are_read_on_a_phone(site, browser):
    written = pages_in_turn(written_pages(site))
    kinds = ("--letra", "katex-base")
    texts = {path: path.read_text(encoding="utf-8") for path in written}
    pages = [path for path, text in texts.items() if any(kind in text for kind in kinds)]
    page, small, many, wrong = browser.new_page(**PHONE), {}, 0, {}
    for path in pages:
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        found = dict(page.evaluate(LETTERS, drawings.LEAST + drawings.ROUNDING))
        small |= {name: size for name, size in found.items() if not size >= drawings.LEAST}
        many += len(found)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": PHONE["viewport"]["height"]})
            wrong |= {(path.name, width): bad} if (bad := page.evaluate(WORDS)) else {}
            assert overflow(page) <= 0, (path.name, width)
        page.set_viewport_size(PHONE["viewport"])
    page.close()
    assert many and set(small) <= set(SMALL), small
    assert not wrong, wrong


@pytest.mark.sitio
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_figure_fills_its_box_in_both_themes(site, browser, theme):
    page = browser.new_page(**PHONE, color_scheme=theme)
    page.goto((site / PAGE).as_uri())
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert page.locator(".trozo img").count() > 4 and page.evaluate(SHRUNK) == []
    page.close()


@pytest.mark.sitio
def test_drawings_in_a_row_are_stacked_and_told_once(site, browser):
    page = browser.new_page(**PHONE)
    page.goto((site / PAGE).as_uri())
    figure = page.locator("#fig-potencia")
    pieces = figure.evaluate(PIECES)
    assert len(pieces) == 2 and pieces[1]["top"] > pieces[0]["top"] + 50
    assert all(one["whole"] and one["left"] >= 0 and one["right"] <= 390 for one in pieces)
    assert figure.get_by_role("img").count() == 1
    figure.locator(".trozos").tap()
    assert page.locator("dialog.visor img").get_attribute("alt")
    page.keyboard.press("Escape")
    for change in ({"width": 390, "media": "print"}, {"width": 1440, "media": "screen"}):
        page.set_viewport_size({"width": change["width"], "height": 844})
        page.emulate_media(media=change["media"])
        assert not figure.locator(".trozos").is_visible(), change
        assert (
            figure.get_by_role("img").count() == 1 and figure.locator(".lamina > img").is_visible()
        )
    page.close()
