"""Qué cuadernos tiene el libro: los que nombra `_toc.yml`."""

from collections.abc import Iterator
from pathlib import Path


def book_notebooks(root: Path) -> list[Path]:
    """Cuadernos que nombra `_toc.yml`, en su orden.

    Errores: `ValueError` si `root` no es la carpeta del curso.
    """
    import yaml

    path = root / "_toc.yml"
    if not path.exists():
        raise ValueError(f"no está {path}: ejecuta la orden desde la carpeta del curso")
    toc = yaml.safe_load(path.read_text(encoding="utf-8"))
    candidates = [root / name for name in _files(toc)]
    notebooks = [path.with_name(path.name.removesuffix(".ipynb") + ".ipynb") for path in candidates]
    return [path for path in notebooks if path.exists()]


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
    """Dice si un cuaderno es de ejercicios: sus celdas en blanco fallan a propósito."""
    return path.stem.endswith("_ejercicios")
