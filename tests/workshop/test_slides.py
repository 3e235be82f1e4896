"""Las diapositivas de un capítulo y sus figuras sueltas: lo que traen, y que se pasan."""

import csv
import io
import re
import zipfile
from base64 import b64encode
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from typer.testing import CliRunner

from tests.conftest import ROOT
from tests.site.static_page import open_page, overflow
from workshop.__main__ import app
from workshop.notebooks import book_chapters, find_chapter
from workshop.slides.deck import deck_html
from workshop.slides.markup import inline
from workshop.slides.pack import pack_bytes
from workshop.slides.reading import (
    WIDGET,
    Asked,
    Figure,
    Play,
    Section,
    goals,
    headings,
    read_talk,
    told,
)

NAMED = re.compile(r'"caption": "[^\n]+",\n *"name": "(fig-[^"]+)"')
PNG = b"\x89PNG de mentira"
QUIZ = """from tfcourse.quiz import Option, Question, Quiz

Quiz("uno", [
    Question("¿Gira?", [
        Option("No.", False, "Gira."),
        Option("Sí: \\\\(\\\\rho < 1\\\\).", True, "Por el gozne."),
    ]),
])"""


@pytest.fixture(scope="module")
def chapters():
    return book_chapters(ROOT)


@pytest.fixture(scope="module")
def talk(chapters):
    return read_talk(ROOT, find_chapter("detr", chapters))


def figure_cell(name: str):
    output = new_output("display_data", {"image/png": b64encode(PNG).decode()})
    about = {
        "figure": {"name": name, "caption": "Un pie."},
        "image": {"alt": "Una puerta <abierta>."},
    }
    return new_code_cell("plot()", outputs=[output], metadata={"mystnb": about})


def made_cells():
    play = new_output("display_data", {WIDGET: {"model_id": "m"}, "text/plain": "Bisagra"})
    return [
        new_markdown_cell(
            "# Bisagra\n\n**Al terminar sabrás**\n: abrir;\n: cerrar.\n\n**Tiempo**: 1"
        ),
        new_markdown_cell("## Abrir\nTexto.\n\n```\n## no es un título\n```\n### Sin llave"),
        figure_cell("fig-puerta"),
        new_markdown_cell(":::{note}\n### tampoco\n:::\n\n### Con llave"),
        new_code_cell("play()", outputs=[play]),
        new_markdown_cell("## Comprueba lo que has entendido"),
        new_code_cell(QUIZ),
        new_markdown_cell("## Para seguir leyendo"),
    ]


def test_a_page_is_read_in_order():
    cells = made_cells()
    assert list(goals(cells)) == ["abrir", "cerrar"]
    section, figure, play, question = told(cells)
    assert section == Section("Abrir", ("Sin llave", "Con llave"))
    assert figure == Figure("Sin llave", "fig-puerta", "Un pie.", "Una puerta <abierta>.", PNG)
    assert play == Play("Con llave")
    assert isinstance(question, Asked) and [a.right for a in question.answers] == [False, True]
    assert list(headings(new_code_cell("# código"))) == []


def test_markup_of_a_line():
    assert inline("Lo que añade `fit`") == "Lo que añade <code>fit</code>"
    assert inline("un **conjunto** <y> *otro*") == (
        "un <strong>conjunto</strong> &lt;y&gt; <em>otro</em>"
    )
    assert inline("¿Por qué $\\sqrt{d_k}$?") == (
        '¿Por qué <span class="formula">√d<sub>k</sub></span>?'
    )
    assert inline("[BERT](../bert.ipynb), de 2018 {cite:p}`devlin2019`") == "BERT, de 2018"
    with pytest.raises(ValueError, match="la fórmula"):
        inline("$\\frac{a}{b}$")


def test_the_deck_is_one_file_with_everything_it_shows(talk):
    page = BeautifulSoup(deck_html(talk), "html.parser")
    assert page.html["lang"] == "es" and page.title.text == talk.title
    assert len(page.find_all("section")) == len(talk.slides) + 3
    images = page.find_all("img")
    assert [image["alt"] for image in images] == [figure.alt for figure in talk.figures] != []
    assert all(image["src"].startswith("data:image/png;base64,") for image in images)
    assert not page.find_all(["link", "iframe"]) and not page.find_all(src=re.compile("^http"))
    assert [caption.text for caption in page.find_all("figcaption")] == [
        BeautifulSoup(inline(figure.caption), "html.parser").text for figure in talk.figures
    ]
    assert talk.colab in [link["href"] for link in page.find_all("a")]
    asked = [slide for slide in talk.slides if isinstance(slide, Asked)]
    told_answers = [details.strong.text for details in page.find_all("details")]
    places = [[a.right for a in question.answers].index(True) for question in asked]
    assert told_answers == [f"{'abcd'[place]})" for place in places] != []


def test_a_description_cannot_break_the_page(talk):
    figure = replace(talk.figures[0], alt='dice "<b>"', caption="a < b")
    page = BeautifulSoup(deck_html(replace(talk, slides=(figure,))), "html.parser")
    assert page.img["alt"] == 'dice "<b>"' and page.figcaption.text == "a < b" and not page.b


def test_the_pack_carries_the_figures_and_what_they_say(talk):
    packed = pack_bytes(talk)
    assert packed == pack_bytes(talk)
    with zipfile.ZipFile(io.BytesIO(packed)) as book:
        table = book.read("figuras.csv").decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(table), delimiter=";"))
        pictures = [book.read(row["archivo"]) for row in rows]
        assert len(book.namelist()) == len(rows) + 2
        assert "CC BY 4.0" in book.read("LEEME.txt").decode()
    assert [(r["pie"], r["texto alternativo"]) for r in rows] == [
        (figure.caption, figure.alt) for figure in talk.figures
    ]
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


def test_every_chapter_can_be_told(chapters):
    """Ninguno trae una fórmula ni una marca que no se sepa escribir, y ninguna figura se pierde."""
    for chapter in chapters:
        talk = read_talk(ROOT, chapter)
        bare = (replace(s, png=b"") if isinstance(s, Figure) else s for s in talk.slides)
        page = BeautifulSoup(deck_html(replace(talk, slides=tuple(bare))), "html.parser")
        page.script.decompose()
        page.style.decompose()
        assert not re.search(r"[$`\\]|\*\*|\{", page.text), chapter.slug
        assert talk.goals and talk.question.endswith("?"), chapter.slug
        text = (ROOT / f"{chapter.page}.ipynb").read_text(encoding="utf-8")
        assert [figure.name for figure in talk.figures] == NAMED.findall(text), chapter.slug


def test_the_order_writes_both_files_or_only_the_deck(tmp_path):
    done = CliRunner().invoke(app, ["diapositivas", "gpt", "--salida", str(tmp_path), "--raiz",
                                    str(ROOT)])  # fmt: skip
    assert done.exit_code == 0, done.output
    assert {path.name for path in tmp_path.iterdir()} == {"gpt.html", "gpt_figuras.zip"}


@pytest.mark.lento
def test_it_is_passed_with_the_keyboard_and_printed_whole(tmp_path, talk, browser):
    path = tmp_path / "detr.html"
    path.write_text(deck_html(talk), encoding="utf-8")
    n = len(talk.slides) + 3
    page = open_page(browser, path, width=1280)

    def place():
        visible = page.locator("section:visible")
        assert visible.count() == 1
        return visible.get_attribute("aria-label")

    seen = [place()]
    for key in ("ArrowRight", " ", "ArrowLeft", "End", "ArrowRight", "Home", "PageDown"):
        page.keyboard.press(key)
        seen.append(place())
    assert [int(label.split()[0]) for label in seen] == [1, 2, 3, 2, n, n, 1, 2]
    assert page.get_by_role("status").inner_text() == f"2 de {n}"
    page.get_by_role("button", name="Siguiente").click()
    assert place() == f"3 de {n}" and page.url.endswith("#3")
    too_tall = page.evaluate(
        "slides.filter((s, i) => (show(i), s.scrollHeight > s.clientHeight + 1)).length"
    )
    assert too_tall == 0 and overflow(page) <= 0 and page.problems == []
    printed = page.pdf(prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == n
