"""El sitio construido, tal como lo leen las pruebas: sus páginas y los textos de cada una."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.element import PreformattedString

# Lo que se lee en voz alta o aparece al pasar por encima.
SPOKEN = ("title", "alt", "aria-label", "aria-description", "placeholder", "data-tooltip")
GENERATED = "paquete"  # la carpeta de la referencia que escribe el programa
UNSEEN = ("script", "style", "noscript")


def page_paths(site: Path) -> list[Path]:
    """Todas las páginas, sin las plantillas que traen las extensiones."""
    return sorted(set(site.rglob("*.html")) - set((site / "_static").rglob("*.html")))


def different_pages(site: Path) -> list[Path]:
    """Las páginas que no se parecen a otra: de las que escribe el programa, la primera y la última.

    Las de la referencia salen todas de la misma plantilla, carpeta a carpeta.
    """
    written = [path for path in page_paths(site) if path != site / "index.html"]  # solo salta
    alike = groupby(written, lambda path: path.parent if GENERATED in path.parts else path)
    groups = (list(group) for _, group in alike)
    return [path for group in groups for path in dict.fromkeys((group[0], group[-1]))]


def written_pages(site: Path) -> list[Path]:
    """Las que salen de un archivo del libro."""
    return [path for path in page_paths(site) if path.is_relative_to(site / "chapters")]


@cache
def parse(path: Path) -> BeautifulSoup:
    """Una página, leída una sola vez."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "lxml")


def spoken_attributes(soup: BeautifulSoup) -> Iterator[str]:
    """Los textos que están en atributos."""
    for name in SPOKEN:
        for element in soup.find_all(attrs={name: True}):
            if "reference" not in element.get("class", ()):  # títulos de artículos citados
                yield element[name]


def interface_texts(soup: BeautifulSoup) -> Iterator[str]:
    """Lo que ponen el tema y las extensiones: lo de fuera del artículo y todos los atributos.

    El código no cuenta: el índice de la derecha repite los nombres de las clases.
    """
    article = soup.find("article")
    for text in soup.find_all(string=True):
        above = list(text.parents)
        inside = article in above or any(element.name == "code" for element in above)
        hidden = isinstance(text, PreformattedString)  # comentarios y marcas del HTML
        if (
            not inside
            and not hidden
            and text.parent.name not in ("script", "style", "noscript", "[document]")
        ):
            yield text
    yield from spoken_attributes(soup)
