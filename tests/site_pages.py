"""El sitio construido, tal como lo leen las pruebas: sus páginas y los textos de cada una."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from filelock import FileLock

from tests.conftest import ROOT

SITE = ROOT / "_build/html"
# MathJax llega aún de la red: es la única petición que una página puede hacer fuera.
MATHJAX = "https://cdn.jsdelivr.net/npm/mathjax@3/"
# Lo que se lee en voz alta o aparece al pasar por encima.
SPOKEN = ("title", "alt", "aria-label", "aria-description", "placeholder", "data-tooltip")
# Páginas que hace Sphinx solo, sin un archivo de texto detrás.
GENERATED = ("genindex.html", "py-modindex.html", "search.html")


@pytest.fixture(scope="session")
def site() -> Path:
    """Carpeta del sitio al día: `make sitio` no hace nada si ya lo está, y falla con un aviso."""
    # Un solo proceso construye y los demás esperan; sin las opciones del `make` que nos llama.
    lock = ROOT / ".pytest_cache/sitio.lock"
    lock.parent.mkdir(exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with FileLock(lock):
        order = ["make", "--no-print-directory", "sitio", f"PY={sys.executable}"]
        result = subprocess.run(order, cwd=ROOT, env=clean, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    return SITE


def page_paths(site: Path) -> list[Path]:
    """Todas las páginas, sin las plantillas que traen las extensiones."""
    return sorted(set(site.rglob("*.html")) - set((site / "_static").rglob("*.html")))


def written_pages(site: Path) -> list[Path]:
    """Las que salen de un archivo del libro."""
    return [path for path in page_paths(site) if path.is_relative_to(site / "chapters")]


@cache
def parse(path: Path) -> BeautifulSoup:
    """Una página, leída una sola vez."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def spoken_attributes(soup: BeautifulSoup) -> Iterator[str]:
    """Los textos que están en atributos."""
    for name in SPOKEN:
        for element in soup.find_all(attrs={name: True}):
            yield element[name]


def interface_texts(soup: BeautifulSoup) -> Iterator[str]:
    """Lo que ponen el tema y las extensiones: lo de fuera del artículo y todos los atributos."""
    article = soup.find("article")
    for text in soup.find_all(string=True):
        inside = article is not None and article in text.parents
        if not inside and text.parent.name not in ("script", "style", "noscript", "[document]"):
            yield text
    yield from spoken_attributes(soup)
