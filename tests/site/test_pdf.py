"""El sitio en papel: un capítulo se imprime entero, claro y con su índice."""

import io
import os
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.site.pages import parse
from tests.systems import require_system
from tests.turns import pages_in_turn
from workshop.notebooks import book_chapters, find_chapter

pypdf = pytest.importorskip("pypdf", reason="falta pypdf (extra «libro»)")
pytest.importorskip("playwright", reason="falta playwright")

pytestmark = pytest.mark.lento
CHAPTER = "secuencia_a_secuencia_ejercicios"


def run(*words) -> subprocess.CompletedProcess:
    """Llama a la orden de imprimir."""
    command = [sys.executable, str(ROOT / ".ci/pdf.py"), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ)


def outline_titles(entries) -> list[str]:
    """Los títulos del índice de un documento, con los de dentro."""
    titles = []
    for entry in entries:
        titles += outline_titles(entry) if isinstance(entry, list) else [entry.title]
    return titles


def test_a_chapter_is_printed_whole(site):
    require_system("chromium")
    done = run(CHAPTER)
    assert done.returncode == 0, done.stderr
    document = pypdf.PdfReader(ROOT / f"_build/pdf/{CHAPTER}.pdf")
    text = "\n".join(page.extract_text() for page in document.pages)
    assert "Solución: ¿Cuánto cabe en la memoria?" in text
    assert "numbers_kept" in text  # las soluciones, desplegadas
    for interface in ("Abrir en Colab", "En esta página", "Página siguiente", "Buscar"):
        assert interface not in text, interface
    assert any("Atención a mano" in title for title in outline_titles(document.outline))
    assert all(abs(float(page.mediabox.width) - 595) < 2 for page in document.pages)  # A4


def test_unfolded_code_is_seen_and_a_short_one_is_not_split(site, browser):
    """Lo que se abre para imprimir no se queda a medio aparecer, ni deja su marco en otra hoja."""
    page = browser.new_page()
    page.goto((site / f"chapters/1_recurrencia/{CHAPTER}.html").as_uri())
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    styles = "(boxes, name) => boxes.map((box) => getComputedStyle(box)[name])"
    unfolded = page.locator("details.hide[open] > :not(summary)")
    assert set(unfolded.evaluate_all(styles, "opacity")) == {"1"}
    short = page.locator("div.cell_input:has(.corto)")
    assert set(short.evaluate_all(styles, "breakInside")) == {"avoid"}
    assert page.locator("div.cell_input").count() > short.count() > 5
    page.close()


# Un código largo, en hojas sin nada más: cada vez empieza un poco más cerca del pie.
FEET = """([first, last, step]) => {
  const article = document.querySelector(".bd-article");
  const long = (cell) => cell.querySelector(".cell_input .highlight:not(.corto)");
  const cell = [...document.querySelectorAll("div.cell:not(:has(details))")].find(long);
  article.replaceChildren();
  for (let height = first; height < last; height += step) {
    const gap = document.createElement("div");
    gap.style = `break-before: page; height: ${height}px`;
    article.append(gap, cell.cloneNode(true));
  }
}"""


def test_no_frame_is_left_empty_at_the_foot_of_a_sheet(site, browser):
    """Donde hay marco de código, hay código: ninguno se queda sin renglones en la hoja anterior."""
    page = browser.new_page(reduced_motion="reduce", color_scheme="light")
    page.goto((site / "chapters/1_recurrencia/lstm_gru.html").as_uri())
    edge = page.evaluate("getComputedStyle(document.querySelector('.cell_input')).borderLeftColor")
    page.evaluate(FEET, [840, 980, 7])
    sheets = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4", print_background=True))).pages
    page.close()
    fill = " ".join(f"{int(n) / 255:.4f}".strip("0") for n in re.findall(r"\d+", edge)) + " rg"
    framed = [sheet for sheet in sheets if fill.encode() in sheet.get_contents().get_data()]
    assert len(framed) > 25  # veinte códigos, y varios en dos hojas
    assert [sheet.page_number + 1 for sheet in framed if not sheet.extract_text().strip()] == []


CARDS = """() => ["escaparate > li", "semanas > li", "sd-card", "mapa-capitulo"].map((kind) => {
  const cards = [...document.querySelectorAll(`.bd-article .${kind}`)];
  return cards.length && cards.every((card) => getComputedStyle(card).breakInside === "avoid");
})"""


@pytest.mark.sitio
def test_no_card_of_the_home_is_split_between_two_sheets(site, browser):
    page = browser.new_page()
    page.goto((site / "chapters/intro.html").as_uri())
    assert not all(page.evaluate(CARDS))  # en la pantalla no hay hojas
    page.emulate_media(media="print")
    assert page.evaluate(CARDS) == [True] * 4
    page.close()


CUT = """() => [...document.querySelectorAll(".bd-article :is(.katex-display, .tfc-costs-holder)")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.querySelector("annotation")?.textContent ?? box.className)"""


@pytest.mark.sitio
def test_no_formula_is_cut_on_paper(site, browser):
    """En una hoja nada se desliza: una fórmula que no cabe en su renglón sigue en otro."""
    chapters = sorted((site / "chapters").glob("[0-9]_*/*.html"))
    page = browser.new_page(viewport={"width": 673, "height": 950})  # una hoja A4, sin márgenes
    page.emulate_media(media="print")
    wrong = {}
    for path in pages_in_turn(chapters):
        page.goto(path.as_uri())
        wrong |= {path.name: cut} if (cut := page.evaluate(CUT)) else {}
    page.close()
    assert not wrong, wrong


@pytest.mark.sitio
def test_a_figure_that_waits_for_a_click_says_so_on_paper(site, browser):
    page = browser.new_page()
    page.goto((site / "chapters/4_vision/detr.html").as_uri())
    figure = page.locator(".tfc:has(> .tfc-load)").first
    page.evaluate("window.tfcourseShowFigures?.()")
    page.emulate_media(media="print")
    said = figure.evaluate("(box) => getComputedStyle(box, '::after').content")
    assert "se usa en la página" in said and not figure.get_by_role("button").first.is_visible()
    page.close()


def test_a_chapter_is_named_or_numbered(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    import pdf

    chapter = find_chapter("t5", book_chapters(ROOT))
    for wanted in ("t5", str(chapter.number), f"{chapter.number:03}"):
        assert pdf.matching(wanted) == [chapter.page, chapter.exercises]
    assert pdf.matching("glosario") == ["chapters/glosario"]
    assert pdf.matching("") == pdf.listed()


def test_unknown_chapter_is_explained(site):
    done = run("capitulo_que_no_esta")
    assert done.returncode == 1
    assert "ninguna página del índice se llama «capitulo_que_no_esta»" in done.stderr


def test_book_has_an_entry_per_part(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    import pdf

    parts = []
    for name in ("uno", "dos"):
        writer = pypdf.PdfWriter()
        writer.add_blank_page(100, 100)
        writer.write(tmp_path / f"{name}.pdf")
        parts.append((name, tmp_path / f"{name}.pdf"))
    pdf.join(parts, tmp_path / "libro.pdf")
    book = pypdf.PdfReader(tmp_path / "libro.pdf")
    assert len(book.pages) == 2 and outline_titles(book.outline) == ["uno", "dos"]


def test_each_page_offers_its_own_pdf(tmp_path, monkeypatch, site):
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    import ofrecer_pdf

    printed, copy = tmp_path / "pdf", tmp_path / "html"
    printed.mkdir()
    for name in (CHAPTER, "tfcourse"):
        (printed / f"{name}.pdf").write_bytes(b"%PDF" * 300_000)
    names = ("intro", f"1_recurrencia/{CHAPTER}", "1_recurrencia/lstm_gru")
    for page in (copy / "chapters" / f"{name}.html" for name in names):
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_bytes((site / page.relative_to(copy)).read_bytes())
    for _ in range(2):  # la segunda vez, lo mismo
        assert ofrecer_pdf.offer(copy, printed) == 2
        found = {}
        for name in names:
            page = copy / "chapters" / f"{name}.html"
            links = parse.__wrapped__(page).select('a[href$=".pdf"][download]')
            found[name] = [(link.text, (page.parent / link["href"]).exists()) for link in links]
        assert list(found.values()) == [
            [("El libro entero en PDF (1,2 MB)", True)],
            [("Descargar en PDF (1,2 MB)", True)],
            [],
        ]
