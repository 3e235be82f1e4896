"""La lengua: ortografía, comillas y números de lo que se lee, y nada en inglés en la interfaz."""

import re
import subprocess
from collections.abc import Iterator
from functools import cache

import pytest
from bs4.element import PreformattedString, Tag

from tests.conftest import ROOT
from tests.site.pages import interface_texts, page_paths, parse, written_pages
from tests.systems import require_system

pytestmark = pytest.mark.lento

WORDS = ROOT / "tests/palabras"
DOCUMENTS = ("README.md", "CONTRIBUIR.md", "CHANGELOG.md", "LICENSE-TEXTO.md", "data/LEEME.md")
# Palabras frecuentes de una interfaz en inglés que no lo son también en español.
ENGLISH = re.compile(
    r"\b(the|of|and|with|this|your|page|search|show|hide|toggle|click|close|open|next|previous|"
    r"contents|table|link|here|source|settings|menu|download|copy|copied|edit|dark|light|mode|"
    r"skip|main|loading|results|index|proof|exercise|solution|version|navigation)\b",
    re.IGNORECASE,
)
# Lo que no es prosa: código, fórmulas, títulos citados y términos extranjeros en cursiva.
NAMES_NOT_PROSE = {"code", "pre", "kbd", "script", "style", "em", "i"}
CLASSES_NOT_PROSE = {
    "math", "citation-list", "py-name", "tfc-alignment", "headerlink", "output", "caption-number",
}  # fmt: skip
# Lo mismo en un documento sin convertir: bloques, código, direcciones, archivos y huellas.
CODE = (
    r"```.*?```|`[^`]*`",
    r"\]\([^)]*\)",
    r"https?://\S+",
    r"\S+\.(?:md|cff)\b",
    r"[0-9a-f]{20,}",
)


def is_prose(element) -> bool:
    """Si lo que hay en un elemento se lee como texto corrido."""
    classes = element.get("class", ())
    if element.name == "strong":  # el nombre con que empieza una ficha o un punto de una lista
        first = element.parent.name == "p" and element.find_previous_sibling() is None
        return not (first and element.find_parent(class_=("simple", "field-list")))
    return not (
        element.name in NAMES_NOT_PROSE
        or element.has_attr("lang")
        or not CLASSES_NOT_PROSE.isdisjoint(classes)
        or (element.name == "dt" and "sig" in classes)
    )


def prose_texts(element) -> Iterator[str]:
    """Los textos de un elemento, en orden; lo que no es prosa ni se recorre."""
    for child in element.contents:
        if isinstance(child, Tag):
            yield from prose_texts(child) if is_prose(child) else ()
        elif not isinstance(child, PreformattedString):
            yield str(child)


def prose(page) -> str:
    """El texto corrido de una página, sin lo que no es prosa."""
    return " ".join(prose_texts(parse(page).find("article")))


def document_prose(name: str) -> str:
    """El texto corrido de un documento del repositorio."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for pattern in (
        r"```.*?```",
        r"`[^`]*`",
        r"\]\([^)]*\)",
        r"https?://\S+",
        r"\b[0-9a-f]{20,}\b",
    ):
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    return text


def misspelt(text: str) -> set[str]:
    """Palabras que el corrector no conoce y no están en nuestras listas."""
    command = [require_system("aspell"), "list", "-d", "es", "--encoding=utf-8", "--ignore=1"]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return set(result.stdout.split()) - known_words()


@cache
def known_words() -> set[str]:
    """Las palabras de nuestras listas."""
    return set("\n".join(p.read_text("utf-8") for p in WORDS.glob("*.txt")).split())


@pytest.fixture(scope="module")
def texts(site) -> dict[str, str]:
    """Todo lo que lee una persona, por su nombre."""
    pages = [page for page in written_pages(site) if page.stem != "bibliografia"]
    told = {page.relative_to(site).as_posix(): prose(page) for page in pages}
    return told | {name: document_prose(name) for name in DOCUMENTS}


def test_spelling(texts):
    wrong = {name: sorted(words) for name, text in texts.items() if (words := misspelt(text))}
    assert not wrong, "\n".join(f"{name}: {' '.join(words)}" for name, words in wrong.items())


def test_spelling_mistakes_are_noticed():
    assert misspelt("La atencion mira la neurona.") == {"atencion"}


def test_numbers_have_a_decimal_comma(texts):
    """Con punto solo van las versiones, los apartados y lo que es código."""
    context = re.compile(r".{20}(?<![\w.,(–-])\d+\.\d{1,2}(?![\w.]).{12}")
    allowed = re.compile(
        r"Python|torch|CC0? |Atribución |versi|capítulo|Ejercicio|§|apartad|seccion|[A-Z]\.|"
        r"wav2vec|PCK@|Apache|ODbL|CC BY"
    )
    for name, text in texts.items():
        found = [hit for hit in context.findall(" ".join(text.split())) if not allowed.search(hit)]
        assert not found, (name, found[:5])


def test_quotation_marks_are_spanish(texts):
    for name, text in texts.items():
        found = re.findall(r".{20}[\"“”].{20}", " ".join(text.split()))
        assert not found, (name, found[:5])
        assert text.count("«") == text.count("»"), name


# Nombres de código y ejemplos citados: no son interfaz.
NAMES = re.compile(r"[\w.]+\(\)|\w+\.[\w.]+|_\w+|\w+_\w*|«[^»]*»|: de \w+ a \w+")


def test_interface_is_in_spanish(site):
    foreign = {
        f"{page.name}: {' '.join(text.split())[:80]}"
        for page in page_paths(site)
        for text in interface_texts(parse(page))
        if ENGLISH.search(NAMES.sub("", text))
    }
    assert not foreign, "\n".join(sorted(foreign)[:30])


def test_english_names_of_the_glossary_say_their_language(site):
    page = parse(site / "chapters/glosario.html")
    names = page.select("dl.glossary dl.field-list em")
    assert len(names) > 50 and all(name.get("lang") == "en" for name in names)


def test_english_in_the_interface_is_noticed():
    assert ENGLISH.search("Toggle primary sidebar") and ENGLISH.search("Search this book")
    assert not ENGLISH.search("Buscar en el curso") and not ENGLISH.search("Versión anterior")
