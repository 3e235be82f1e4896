"""Qué cuadernos y capítulos tiene el libro: los que nombra `_toc.yml`, por su orden.

El número de un capítulo es su lugar en ese índice, y solo se sabe leyéndolo: no está escrito en
ningún otro sitio, así que intercalar un capítulo renumera los demás.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_CHAPTER = re.compile(r"chapters/(?P<part>\d_\w+)/(?P<slug>\w+)")
_EXERCISES, _PROJECT = "_ejercicios", "proyecto_"


@dataclass(frozen=True)
class Chapter:
    """Un capítulo: su número, la carpeta de su parte y el nombre de su cuaderno."""

    number: int
    part: str
    slug: str

    @property
    def page(self) -> str:
        """Su página, sin extensión, como en `_toc.yml`."""
        return f"chapters/{self.part}/{self.slug}"

    @property
    def exercises(self) -> str:
        """La página de sus ejercicios."""
        return self.page + _EXERCISES


def book_chapters(root: Path) -> list[Chapter]:
    """Capítulos que nombra `_toc.yml`, en su orden y numerados desde el 1.

    Errores: `ValueError` si `root` no es la carpeta del curso.
    """
    found = (_CHAPTER.fullmatch(name) for name in _listed(root) if not name.endswith(_EXERCISES))
    named = (match for match in found if match and not match["slug"].startswith(_PROJECT))
    return [Chapter(n, match["part"], match["slug"]) for n, match in enumerate(named, start=1)]


def find_chapter(wanted: str, chapters: Sequence[Chapter]) -> Chapter | None:
    """El capítulo que se llama así o que lleva ese número, con ceros delante o sin ellos."""
    number = int(wanted) if re.fullmatch(r"[0-9]+", wanted) else None
    return next((c for c in chapters if c.slug == wanted or c.number == number), None)


def book_notebooks(root: Path) -> list[Path]:
    """Cuadernos que nombra `_toc.yml`, en su orden.

    Errores: `ValueError` si `root` no es la carpeta del curso.
    """
    candidates = [root / name for name in _listed(root)]
    notebooks = [path.with_name(path.name.removesuffix(".ipynb") + ".ipynb") for path in candidates]
    return [path for path in notebooks if path.exists()]


def _listed(root: Path) -> list[str]:
    """Todo lo que nombra `_toc.yml`."""
    import yaml

    path = root / "_toc.yml"
    if not path.exists():
        raise ValueError(f"no está {path}: ejecuta la orden desde la carpeta del curso")
    return list(_files(yaml.safe_load(path.read_text(encoding="utf-8"))))


def _files(node: object) -> Iterator[str]:
    """Nombres de archivo de un índice, a cualquier profundidad."""
    if isinstance(node, dict):
        if "file" in node:
            yield node["file"]
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _files(item)


def is_exercises(path: Path) -> bool:
    """Dice si es de ejercicios o un proyecto: sus celdas en blanco fallan a propósito."""
    return path.stem.endswith(_EXERCISES) or is_project(path)


def is_project(path: Path) -> bool:
    """Dice si un cuaderno es un proyecto."""
    return path.stem.startswith(_PROJECT)
