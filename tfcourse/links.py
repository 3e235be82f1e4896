"""Dirección del repositorio: se escribe en `pyproject.toml` y de ahí va a los demás sitios."""

import re
import tomllib
from pathlib import Path

import nbformat

FIRST_CELL_TAGS = ("nbval-ignore-output", "preparacion")

FIRST_CELL = """\
# Preparación: en Colab instala el paquete; en tu equipo solo lo importa.
try:
    import tfcourse
except ModuleNotFoundError:
    %pip install -q "tfcourse @ git+{url}"
    import tfcourse

tfcourse.start_notebook(seed=0)"""

TEXT_FILES = ("_config.yml", "README.md", "CITATION.cff", "CONTRIBUIR.md")
BADGE = re.compile(
    r"https://colab\.research\.google\.com/github/[\w.-]+/[\w.-]+/blob/(?P<rest>[^)\s\"]+)"
)


def repository_url(root: Path | None = None) -> str:
    """Dirección del repositorio, leída de `[project.urls]`.

    Con el paquete instalado sin su carpeta (Colab), se lee de los metadatos de la instalación.
    """
    root = root or Path(__file__).resolve().parent.parent
    path = root / "pyproject.toml"
    if path.exists():
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        return project["urls"]["Repositorio"].rstrip("/")
    from importlib.metadata import metadata

    urls = dict(entry.split(", ", 1) for entry in metadata("tfcourse").get_all("Project-URL"))
    return urls["Repositorio"].rstrip("/")


def first_cell(root: Path | None = None) -> str:
    """Primera celda de todos los cuadernos, con la dirección actual."""
    return FIRST_CELL.format(url=repository_url(root))


def write_links(root: Path) -> list[Path]:
    """Lleva la dirección a todos los archivos que la nombran; devuelve los que cambiaron."""
    return [path for path, _ in _pending(root, save=True)]


def check_links(root: Path) -> list[str]:
    """Archivos que nombran otra dirección que la de `pyproject.toml`."""
    return [f"{path}: {why}; ejecuta «make enlaces»" for path, why in _pending(root, save=False)]


def _pending(root: Path, *, save: bool):
    url = repository_url(root)
    for name in TEXT_FILES:
        path = root / name
        if path.exists():
            text = path.read_text(encoding="utf-8")
            fixed = _fix_text(text, url)
            if fixed != text:
                if save:
                    path.write_text(fixed, encoding="utf-8")
                yield path, "nombra otra dirección del repositorio"
    for path in sorted((root / "chapters").rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        if _fix_notebook(notebook, root, url):
            if save:
                nbformat.write(notebook, path)
            yield path, "su primera celda o su enlace a Colab nombran otra dirección"


def _fix_text(text: str, url: str) -> str:
    """Sustituye la dirección en las líneas que hablan de este repositorio."""
    owner_repository = url.removeprefix("https://github.com/")
    known = re.compile(r"https://github\.com/[\w-]+/tfcourse\b")
    text = known.sub(url, text)
    return BADGE.sub(
        lambda m: f"https://colab.research.google.com/github/{owner_repository}/blob/{m['rest']}",
        text,
    )


def _fix_notebook(notebook, root: Path, url: str) -> bool:
    changed = False
    for cell in notebook.cells:
        wanted = cell.source
        if cell.cell_type == "code" and "preparacion" in cell.metadata.get("tags", []):
            wanted = first_cell(root)
        elif cell.cell_type == "markdown":
            wanted = _fix_text(cell.source, url)
        if wanted != cell.source:
            cell.source, changed = wanted, True
    return changed
