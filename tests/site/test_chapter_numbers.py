"""El número de un capítulo es su lugar en `_toc.yml`: no está escrito en ningún otro sitio."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.site.pages import parse
from workshop.notebooks import book_chapters, book_notebooks

chapters = pytest.importorskip("course_site.chapters", reason="falta sphinx (extra «libro»)")
course_map = pytest.importorskip("course_site.course_map")
feeds = pytest.importorskip("course_site.feeds")
map_drawing = pytest.importorskip("course_site.map_drawing")

BOOK = {chapter.slug: chapter for chapter in book_chapters(ROOT)}
WRITTEN = re.compile(
    r"\b[Cc]ap[ií]tulos?(?: el)?\s+\[?\d|\bEjercicios? \d+\.\d|^(?:\s*\")?# \d+\. "
    r"|\[\d+\]\([^)]*\.ipynb|\b[Cc]ap[ií]tulo (?:anterior|siguiente)\b"
    r"|\*\*Cap[ií]tulos?\*\*: \d",
    re.MULTILINE,
)
LINK = re.compile(r"\[([^\]]+)\]\(([^)#]*?)(\w+)\.ipynb(?:#[^)]*)?\)")
FICTITIOUS = "bisagra"


def tracked(*endings: str) -> list[Path]:
    """Los archivos del repositorio que acaban así."""
    order = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(order, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = [ROOT / name for name in names.splitlines() if name.endswith(endings)]
    return [path for path in found if path.exists() and path != Path(__file__)]


def readable(path: Path) -> str:
    """El texto de un archivo; de un cuaderno, el de sus celdas y el de lo que escribieron."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    parts = ["".join(cell["source"]) for cell in cells]
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        parts.append("".join(output.get("text", "")))
        data = output.get("data", {})
        parts += ["".join(data.get(kind, "")) for kind in ("text/plain", "text/html")]
    return "\n".join(parts)


@pytest.mark.parametrize("ending", [".ipynb", ".md", ".py", ".yml"])
def test_no_file_says_a_number(ending):
    said = [
        f"{path.relative_to(ROOT)}: {match[0]!r}"
        for path in tracked(ending)
        for match in WRITTEN.finditer(readable(path))
        if path.name != "CONTRIBUIR.md" or "anterior" not in match[0]  # explica cómo se dice
    ]
    assert not said, "\n".join(said)


@pytest.mark.parametrize(
    "text",
    [
        "como en el capítulo 3.", "los capítulos 9, 11 y 12", "[capítulo 13](x.ipynb)",
        "Ejercicio 3.1",
        "# 16. DETR", "el [28](gato.ipynb)", "del capítulo anterior", "Capítulo 03, «x»",
    ],
)  # fmt: skip
def test_a_number_is_noticed(text):
    assert WRITTEN.search(text)


@pytest.mark.parametrize("text", ["este capítulo, 3 veces", "Ejercicio 3", "## 2. Paso", "[1](#a)"])
def test_what_is_not_a_number_is_left_alone(text):
    assert not WRITTEN.search(text)


def test_no_file_is_named_after_a_number():
    names = [path.relative_to(ROOT).as_posix() for path in tracked("")]
    places = re.compile(r"(?:chapters/\d_\w+|tests/claims|tests/palabras)/.*")
    numbered = re.compile(r"(?:^|/)(?:test_)?\d\d(?:_[a-z]|\.)")
    assert not [name for name in names if places.match(name) and numbered.search(name)]


def test_titles_are_those_of_the_map():
    entries = chapters.all_chapters(chapters.load_map())
    assert list(entries) == list(BOOK)
    for slug, entry in entries.items():
        notebook = readable(ROOT / f"{BOOK[slug].page}.ipynb")
        assert notebook.startswith(f"# {entry['titulo']}\n"), slug
        assert re.match(r"(de|del) ", entry["corto"])
    short = [entry["corto"] for entry in entries.values()]
    assert len(short) == len(set(short))


def citations() -> list[tuple[Path, str, str]]:
    """Cada enlace de un cuaderno que cita un capítulo: dónde está, qué dice y a cuál lleva."""
    return [
        (path, match[1], match[3])
        for path in book_notebooks(ROOT)
        for match in LINK.finditer(readable(path))
        if match[3] in BOOK and re.match(r"[Cc]apítulos? |del? ", match[1])
    ]


def test_citations_name_the_chapter_they_lead_to():
    entries = chapters.all_chapters(chapters.load_map())
    found = citations()
    assert len(found) > 100
    for path, text, slug in found:
        name = re.sub(r"^[Cc]apítulo ", "", text)
        assert name == entries[slug]["corto"], (path.name, text, slug)


def with_one_more(tmp_path: Path) -> dict:
    """Los capítulos de una copia del índice con uno inventado detrás del tercero."""
    text = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    third = list(BOOK.values())[2].exercises
    line = re.search(rf"( *)- file: {third}\n", text)
    chapter = f"{line[1][4:]}- file: chapters/1_recurrencia/{FICTITIOUS}\n"
    (tmp_path / "_toc.yml").write_text(text[: line.end()] + chapter + text[line.end() :])
    return {chapter.slug: chapter for chapter in book_chapters(tmp_path)}


def test_a_new_chapter_moves_the_numbers_of_those_behind(tmp_path):
    """Título, recuadro, enlaces, mapa y novedades dicen el número nuevo sin tocar nada más."""
    book = with_one_more(tmp_path)
    assert book[FICTITIOUS].number == 4 and len(book) == len(BOOK) + 1
    for slug, chapter in BOOK.items():
        assert book[slug].number == chapter.number + (chapter.number > 3)
    data = yaml.safe_load((ROOT / "chapters/mapa.yml").read_text(encoding="utf-8"))
    entries = chapters.all_chapters(chapters.with_numbers(data, book))
    number = BOOK["gpt"].number + 1
    assert entries["gpt"]["numero"] == number
    assert chapters.cited("capítulo de GPT", "de GPT", number) == f"capítulo {number}"
    link = '<a href="../3_lenguaje/gpt.ipynb">capítulo de GPT</a>'
    assert f">capítulo {number}</a>" in chapters.number_outputs(link, entries)
    drawing = map_drawing.drawing(data, lambda slug: f"{slug}.html")
    assert f'aria-label="{number}. GPT: generación autorregresiva' in drawing
    change = "## [Sin publicar]\n\n- Capítulo «GPT: generación autorregresiva», con ejercicios."
    now, before = (feeds.feed("t", "h", "p", change, [], known) for known in (data, {"partes": []}))
    assert f"<title>Capítulo {number}, «GPT" in now and f"<title>Capítulo {number}" not in before
    assert re.findall("<guid.*", now) == re.findall("<guid.*", before)


def test_a_chapter_without_a_place_has_no_number(tmp_path):
    """Mientras no esté en el índice, el mapa lo enseña por su título."""
    data = yaml.safe_load((ROOT / "chapters/mapa.yml").read_text(encoding="utf-8"))
    book = {slug: chapter for slug, chapter in BOOK.items() if slug != "fusion"}
    entries = chapters.all_chapters(chapters.with_numbers(data, book))
    assert entries["fusion"]["numero"] is None
    drawing = map_drawing.drawing(data, lambda slug: slug in book and f"{slug}.html" or None)
    assert 'aria-label="Fusión de modalidades, en preparación' in drawing
    assert "y Fusión de modalidades" in drawing
    assert course_map.number_mark(entries["fusion"]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("capítulo de GPT", "capítulo 7"), ("Capítulo sobre GPT", "Capítulo 7"), ("de GPT", "7"),
        ("GPT", None), ("los bloques del capítulo de GPT", None), ("del Transformer", None),
    ],
)  # fmt: skip
def test_only_citations_are_numbered(text, expected):
    assert chapters.cited(text, "de GPT", 7) == expected


@pytest.mark.lento
def test_the_site_writes_every_number(site):
    """Título, ventana, menú y recuadros llevan el número; los enlaces que citan, también."""
    for chapter in BOOK.values():
        page = parse(site / f"{chapter.page}.html")
        exercises = parse(site / f"{chapter.exercises}.html")
        start = f"{chapter.number}. "
        assert page.select_one("article h1").get_text().startswith(start)
        assert page.title.get_text(strip=True).startswith(start)
        assert page.select_one(".bd-links [aria-current=page]").get_text().startswith(start)
        boxes = [box.get_text() for box in exercises.select(".admonition-title")]
        shown = [box for box in boxes if box.startswith("Ejercicio ")]
        assert shown == [f"Ejercicio {start[:-2]}.{n}" for n in range(1, len(shown) + 1)] != []


@pytest.mark.lento
def test_the_site_numbers_every_citation(site):
    """Cada cita dice el número y, al pasar por encima, el título; ninguna deja el nombre."""
    entries = chapters.all_chapters(chapters.load_map())
    for path in book_notebooks(ROOT):
        wanted = [(text, slug) for where, text, slug in citations() if where == path]
        page = site / path.relative_to(ROOT).with_suffix(".html")
        links = [
            (link.get_text(), Path(link["href"].partition("#")[0]).stem, link.get("title"))
            for link in parse(page).select("article a[href]")
        ]
        for text, slug in wanted:
            shown = chapters.cited(text, entries[slug]["corto"], BOOK[slug].number)
            assert (shown, slug, entries[slug]["titulo"]) in links, (path.name, text)
        left = [text for text, *_ in links if re.match(r"[Cc]apítulo (?:del?|sobre) ", text)]
        assert not left, (path.name, left)
