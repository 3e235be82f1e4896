"""Dirección del repositorio: se escribe en `pyproject.toml` y de ahí va a los demás sitios."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat

from tfcourse.notebook import first_cell, repository_url

TEXT_FILES = (
    "_config.yml",
    "README.md",
    "CONTRIBUIR.md",
    "CHANGELOG.md",
    "chapters/intro.md",
    "CITATION.cff",  # la última: dice qué dirección tienen escrita los demás
)
BADGE = re.compile(
    r"https://colab\.research\.google\.com/github/[\w.-]+/[\w.-]+/blob/(?P<rest>[^)\s\"]+)"
)


def write_links(root: Path) -> list[Path]:
    """Lleva la dirección a todos los archivos que la nombran; devuelve los que cambiaron."""
    return list(_outdated(root, save=True))


def check_links(root: Path) -> list[str]:
    """Lo que no cuadra: archivos con otra dirección y enlaces a cuadernos que no existen."""
    outdated = _outdated(root, save=False)
    problems = [f"{path}: nombra otra dirección; ejecuta «make enlaces»" for path in outdated]
    for path in _notebooks(root):
        problems += [
            f"{path}: su enlace a Colab lleva a «{name}», que no existe"
            for name in _dead_colab_links(path, root)
        ]
    return problems


def _notebooks(root: Path) -> list[Path]:
    return sorted((root / "chapters").rglob("*.ipynb"))


def _outdated(root: Path, *, save: bool) -> Iterator[Path]:
    rewrite = _rewriter(_written_url(root), repository_url(root))
    for path in _notebooks(root):
        notebook = nbformat.read(path, as_version=4)
        if _fix_notebook(notebook, first_cell(root), rewrite):
            if save:
                nbformat.write(notebook, path)
            yield path
    for path in filter(Path.exists, (root / name for name in TEXT_FILES)):
        text = path.read_text(encoding="utf-8")
        if rewrite(text) != text:
            if save:
                path.write_text(rewrite(text), encoding="utf-8")
            yield path


def _written_url(root: Path) -> str:
    """La dirección que tienen ahora los archivos: la que dejó escrita la última vez en la cita."""
    citation = root / "CITATION.cff"
    text = citation.read_text(encoding="utf-8") if citation.exists() else ""
    found = re.search(r"^repository-code: \"?(https://[^\s\"]+)", text, re.MULTILINE)
    return found[1].rstrip("/") if found else repository_url(root)


def _rewriter(old: str, new: str) -> Callable[[str], str]:
    """Función que lleva un texto de la dirección vieja a la nueva."""
    pages = tuple(_pages_url(url) for url in (old, new))
    exact = re.compile(rf"{re.escape(old)}(?![\w-])")
    colab = f"https://colab.research.google.com/github/{new.removeprefix('https://github.com/')}"

    def rewrite(text: str) -> str:
        text = exact.sub(new, text).replace(*pages)
        return BADGE.sub(lambda found: f"{colab}/blob/{found['rest']}", text)

    return rewrite


def _pages_url(url: str) -> str:
    """Dirección del sitio publicado que corresponde a un repositorio."""
    owner, _, name = url.removeprefix("https://github.com/").partition("/")
    return f"https://{owner}.github.io/{name}"


def _dead_colab_links(path: Path, root: Path) -> list[str]:
    """Cuadernos que un enlace a Colab nombra y el repositorio no tiene."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    named = [found["rest"].partition("/")[2] for found in BADGE.finditer(text)]
    return [name for name in named if not (root / name).exists()]


def _fix_notebook(notebook, wanted_first_cell: str, rewrite: Callable[[str], str]) -> bool:
    changed = False
    for cell in notebook.cells:
        wanted = cell.source
        if cell.cell_type == "code" and "preparacion" in cell.metadata.get("tags", []):
            wanted = wanted_first_cell
        elif cell.cell_type == "markdown":
            wanted = rewrite(cell.source)
        if wanted != cell.source:
            cell.source, changed = wanted, True
    return changed
