"""Una figura de varios dibujos en fila, cortada por los blancos que hay entre ellos.

En un móvil, encogida, no se lee. Cada trozo es un rectángulo de la misma imagen, y un corte pasa
solo por columnas o filas enteras en blanco: nada se parte en dos.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

WHITE, DARK = 250, 205  # a partir de aquí, papel; por debajo de aquí, trazo
GUTTER = 5  # píxeles en blanco que separan, como poco, dos dibujos
REACH = 0.3  # lo que un blanco puede apartarse de su sitio, en anchos de dibujo
MARGIN = 4
BAND = 0.22  # lo más que ocupa un título o una leyenda común, en altos de la figura
EDGE = 0.5  # lo que mide, como poco, el borde de unos ejes, en altos de una fila
LABELS = 12  # píxeles desde los que lo que hay ante unos ejes dice algo
BELOW, SPACE = 7, 4  # lo que una marca asoma por debajo de los ejes; lo que la separa de ellos
# El nombre de un eje vertical: una tira estrecha y seguida, apartada de sus marcas.
NAME_WIDTH, NAME_HEIGHT, NAME_GAP = 36, 30, 12


@dataclass(frozen=True)
class Box:
    """Un rectángulo de la imagen, en píxeles."""

    x: int
    y: int
    width: int
    height: int


Piece = tuple[Box, ...]  # lo que va seguido, a la misma escala: rótulos de una fila y su dibujo


def runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """Los tramos seguidos que se cumplen: principio y final, sin él."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def is_axis_name(strip: np.ndarray) -> bool:
    """Si una tira entre dos blancos es el nombre de un eje, y no sus marcas ni un dibujo."""
    lines = runs(strip.any(1))
    gaps = [after[0] - before[1] for before, after in pairwise(lines)]
    tall = lines[-1][1] - lines[0][0] if lines else 0
    return strip.shape[1] <= NAME_WIDTH and tall >= NAME_HEIGHT and max(gaps, default=0) <= NAME_GAP


def gutters(ink: np.ndarray, shares: tuple[float, ...]) -> list[int] | None:
    """Por dónde se corta en dibujos de esos anchos relativos; nada, si no hay tantos blancos."""
    (used,) = np.nonzero(ink.any(0))
    left, right = int(used[0]), int(used[-1]) + 1
    every = [(a, b) for a, b in runs(~ink.any(0)) if left < a and b < right]
    blank = [(a, b) for a, b in every if b - a >= GUTTER]
    places = left + (right - left) * np.cumsum(shares)[:-1] / sum(shares)
    reach = REACH * (right - left) * min(shares) / sum(shares)
    found = []
    for place in places:
        near = [(a, b) for a, b in blank if abs((a + b) / 2 - place) < reach]
        if not near:
            return None
        chosen = max(near, key=lambda run: (run[1] - run[0], -abs(sum(run) / 2 - place)))
        before = every[every.index(chosen) - 1] if chosen != every[0] else None
        if before and is_axis_name(ink[:, before[1] : chosen[0]]):
            chosen = before  # el nombre va con los ejes que tiene detrás
        found.append(sum(chosen) // 2)
    return found if len(set(found)) == len(found) else None


def trimmed(ink: np.ndarray, box: Box) -> Box:
    """El rectángulo sin el blanco que le sobra a los lados."""
    (used,) = np.nonzero(ink[box.y : box.y + box.height, box.x : box.x + box.width].any(0))
    left = max(box.x, box.x + int(used[0]) - MARGIN)
    right = min(box.x + box.width, box.x + int(used[-1]) + 1 + MARGIN)
    return Box(left, box.y, right - left, box.height)


def bodies(ink: np.ndarray, titled: bool) -> list[tuple[int, int]]:
    """Los altos en que buscar: la figura entera o sin lo que tiene de común arriba y abajo.

    Con `titled`, lo de arriba se quita siempre: un título corto no estorba al corte, y no es de
    ninguno de los dibujos.
    """
    height = len(ink)
    (used,) = np.nonzero(ink.any(1))
    first, last = int(used[0]), int(used[-1]) + 1
    middle = [(a + b) // 2 for a, b in runs(~ink.any(1)) if first < a and b < last and b - a > 2]
    tops = [*([] if titled else [0]), *(y for y in middle if y < BAND * height)]
    bottoms = [height, *(y for y in middle if y > (1 - BAND) * height)]
    return sorted(((a, b) for a in tops for b in bottoms), key=lambda body: body[0] - body[1])


def axes_corner(dark: np.ndarray, box: Box, rows: int) -> tuple[int, int] | None:
    """La columna del borde izquierdo de los ejes de un trozo y la fila en que acaba."""
    least = EDGE * box.height / rows
    part = dark[box.y : box.y + box.height, box.x : box.x + box.width]
    for x in np.flatnonzero(part.sum(0) >= least):
        ends = [b for a, b in runs(part[:, x]) if b - a >= least]
        if ends:
            return box.x + int(x), box.y + ends[-1]
    return None


def shared_labels(ink: np.ndarray, dark: np.ndarray, boxes: list[Box], rows: int) -> Box | None:
    """Lo que solo está ante el primer dibujo y vale para toda la fila."""
    corners = [axes_corner(dark, box, rows) for box in boxes]
    if None in corners:
        return None
    before = [corner[0] - box.x for corner, box in zip(corners, boxes, strict=True)]
    if before[0] - max(before[1:]) < LABELS:
        return None
    first, (edge, end) = boxes[0], corners[0]
    # Hasta donde acaban los ejes: lo de debajo es de las marcas del otro, que empiezan antes.
    tall = min(end + BELOW - first.y, first.height)
    free = runs(~ink[first.y : first.y + tall, first.x : edge].any(0))
    cuts = [first.x + (a + b) // 2 for a, b in free if a and b - a >= SPACE]
    return trimmed(ink, Box(first.x, first.y, cuts[-1] - first.x, tall)) if cuts else None


def cut_up(
    pixels: np.ndarray,
    shares: tuple[float, ...],
    rows: int = 1,
    *,
    shared: bool = False,
    titled: bool = False,
) -> list[Piece]:
    """Los trozos de una figura, en orden; ninguno, si no hay por dónde cortarla.

    `pixels` es la imagen en grises, `(alto, ancho)`; `shares`, los anchos relativos de los dibujos
    de una fila. Con `shared`, lo que solo está ante el primero se repite ante los demás; con
    `titled`, la figura tiene un título común.
    """
    ink, dark = pixels < WHITE, pixels < DARK
    for top, bottom in bodies(ink, titled):
        found = gutters(ink[top:bottom], shares)
        if found is None:
            continue
        width = pixels.shape[1]
        spans = pairwise([0, *found, width])
        boxes = [trimmed(ink, Box(a, top, b - a, bottom - top)) for a, b in spans]
        labels = shared_labels(ink, dark, boxes, rows) if shared else None
        pieces = [(box,) if labels is None or box is boxes[0] else (labels, box) for box in boxes]
        above, below = Box(0, 0, width, top), Box(0, bottom, width, len(ink) - bottom)
        around = [(trimmed(ink, box),) if box.height else None for box in (above, below)]
        return [piece for piece in (around[0], *pieces, around[1]) if piece]
    return []
