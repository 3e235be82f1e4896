"""Lo que el sitio sabe de cada figura: su letra y, si son varios dibujos, por dónde se cortan."""

import ast
import io
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat

from course_site import small_print
from course_site.cutting import Piece, cut_up

LEAST = 11.0  # píxeles de letra que se leen en un móvil
ROUNDING = 0.15  # lo que se pierde al colocar en píxeles enteros
FITS = 350  # lo que cabe a lo ancho en un móvil
MOST = 8  # dibujos en una fila, si la celda no dice cuántos
# Se deslizan enteras: los rótulos de sus filas van dentro del primer dibujo de cada una.
WHOLE = {"fig-fallos-pix2seq"}


@dataclass(frozen=True)
class Grid:
    """Cuántos dibujos tiene una figura: filas, anchos relativos y qué tienen en común."""

    rows: int
    shares: tuple[float, ...]
    shared: bool
    titled: bool


@dataclass(frozen=True)
class Drawing:
    """Una figura: lo mínimo a que se encoge en un móvil y sus trozos, si se corta."""

    scale: float
    pieces: list[Piece]


def whole_number(node: ast.AST | None) -> int | None:
    """El número que se escribe en el código; si se calcula, nada."""
    known = isinstance(node, ast.Constant) and isinstance(node.value, int)
    return node.value if known else None


def ratios(node: ast.AST | None) -> tuple[float, ...] | None:
    """Los anchos relativos, si se escriben."""
    try:
        return tuple(map(float, ast.literal_eval(node)))
    except (ValueError, TypeError):
        return None


def grid_of(cell: str) -> Iterator[Grid]:
    """Las rejillas que puede tener la figura de una celda, de más dibujos a menos."""
    tree = ast.parse(small_print.without_magics(cell))
    first = ("[:, 0]", "[0].set_ylabel", "row[0]", "[0, 0].set_ylabel")
    only_first = cell.count("ylabel") == 1 and any(name in cell for name in first)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or small_print.called(node) not in {"figure", "subplots"}:
            continue
        words = {word.arg: word.value for word in node.keywords}
        rows, columns = (whole_number(arg) for arg in (*node.args[:2], None, None)[:2])
        if len(node.args) < 2:
            return
        told = getattr(words.get("sharey"), "value", False)
        shared = told in (True, "row", "all") or only_first
        guesses = [columns] if columns else range(MOST, 1, -1)
        for guess in guesses:
            shares = ratios(words.get("width_ratios")) or (1.0,) * guess
            if len(shares) > 1:
                yield Grid(rows or 1, shares, shared, "suptitle" in cell)
        return


def drawing(name: str, cell: str, earlier: small_print.Sizes, picture: bytes) -> Drawing:
    """Lo que se sabe de una figura guardada, por el código de su celda y por su imagen."""
    import numpy as np
    from PIL import Image

    points = small_print.smallest_points(cell, earlier)
    scale = (LEAST + ROUNDING) / (points * small_print.PIXELS_PER_POINT)
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("L"))
    if pixels.shape[1] * scale <= FITS or name in WHOLE:
        return Drawing(scale, [])
    for grid in grid_of(cell):
        pieces = cut_up(pixels, grid.shares, grid.rows, shared=grid.shared, titled=grid.titled)
        if pieces:
            return Drawing(scale, pieces)
    return Drawing(scale, [])


@cache
def drawings(notebook: Path) -> dict[str, Drawing]:
    """Las figuras de un cuaderno, por su nombre."""
    found, earlier = {}, {}
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        earlier |= small_print.functions(small_print.without_magics(cell.source))
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        pictures = [
            one.data["image/png"] for one in cell.outputs if "image/png" in one.get("data", {})
        ]
        if name and pictures:
            found[name] = drawing(name, cell.source, earlier, b64decode(pictures[0]))
    return found
