"""El dibujo del mapa: una columna por parte, una caja por capítulo y una línea por dependencia."""

import textwrap
from collections.abc import Callable
from html import escape

from course_site.chapters import all_chapters, numbered

WIDTH, HEIGHT = 106, 66
GAP_X, GAP_Y = 20, 16
TOP = 54
# Cuántas partes tienen un color propio.
COLOURS = 6
LINE = 12.5
# Letras que caben en el ancho de una caja.
LETTERS = 16


def place(data: dict) -> dict[str, tuple[int, int]]:
    """Esquina de la caja de cada capítulo."""
    return {
        chapter["slug"]: (column * (WIDTH + GAP_X), TOP + row * (HEIGHT + GAP_Y))
        for column, part in enumerate(data["partes"])
        for row, chapter in enumerate(part["capitulos"])
    }


def short_title(title: str) -> str:
    """Lo que va antes de los dos puntos, que basta para reconocerlo."""
    return title.partition(":")[0]


def box(
    chapter: dict, needed: list[str], corner: tuple[int, int], part: int, address: str | None
) -> str:
    """La caja de un capítulo: un enlace si ya se puede leer. `needed`: en cuáles se apoya."""
    x, y = corner
    number, title = chapter["numero"], chapter["titulo"]
    words = textwrap.wrap(numbered(number, short_title(title)), LETTERS)
    first = y + HEIGHT / 2 - LINE * (len(words) - 1) / 2 + 4
    lines = " ".join(
        f'<tspan x="{x + WIDTH / 2}" y="{first + LINE * index}">{escape(line)}</tspan>'
        for index, line in enumerate(words)
    )
    state = "" if address else ", en preparación"
    needs = f". Se apoya en {listed(needed)}" if needed else ""
    # El nombre empieza por lo que se lee en la caja: así se puede pedir de viva voz.
    name = escape(f"{numbered(number, title)}{state}{needs}", quote=True)
    shape = f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="9"/><text>{lines}</text>'
    if address:
        kind = f"dibujo-capitulo parte-color-{part}"
        return f'<a href="{escape(address)}" class="{kind}" aria-label="{name}">{shape}</a>'
    return f'<g class="dibujo-pendiente" role="img" aria-label="{name}">{shape}</g>'


def reference(chapter: dict) -> str:
    """Cómo se nombra un capítulo en una línea: por su número o, si aún no lo tiene, su título."""
    return str(chapter["numero"] or short_title(chapter["titulo"]))


def listed(names: list[str]) -> str:
    """«10», «10 y 11» o «10, 11 y 24»."""
    return " y ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def link(start: tuple[int, int], end: tuple[int, int]) -> str:
    """La línea que va del capítulo en que otro se apoya a ese otro."""
    (x1, y1), (x2, y2) = start, end
    if x1 == x2:  # en la misma columna: hacia abajo o, si hay cajas por medio, por un lado
        if y2 - y1 == HEIGHT + GAP_Y:
            middle = x1 + WIDTH / 2
            return f"M{middle} {y1 + HEIGHT}V{y2}"
        side, a, b = x1 - GAP_X / 2, y1 + HEIGHT / 2, y2 + HEIGHT / 2
        return f"M{x1} {a}C{side} {a} {side} {a} {side} {(a + b) / 2}S{side} {b} {x2} {b}"
    a, b = y1 + HEIGHT / 2, y2 + HEIGHT / 2
    left, right = x1 + WIDTH, x2
    bend = min(GAP_X, (right - left) / 2)
    return f"M{left} {a}C{left + bend} {a} {right - bend} {b} {right} {b}"


def drawing(data: dict, address_of: Callable[[str], str | None]) -> str:
    """El dibujo entero, en SVG."""
    corners, known = place(data), all_chapters(data)
    width = len(data["partes"]) * (WIDTH + GAP_X) - GAP_X
    height = max(y for _, y in corners.values()) + HEIGHT
    lines, boxes, titles = [], [], []
    for column, part in enumerate(data["partes"]):
        x = column * (WIDTH + GAP_X) + WIDTH / 2
        for index, words in enumerate(reversed(textwrap.wrap(part["titulo"], 16))):
            titles.append(f'<text x="{x}" y="{TOP - 12 - 13 * index}">{escape(words)}</text>')
        for chapter in part["capitulos"]:
            here, address = corners[chapter["slug"]], address_of(chapter["slug"])
            needed = [reference(known[one]) for one in chapter["requiere"]]
            lines += [f'<path d="{link(corners[one], here)}"/>' for one in chapter["requiere"]]
            boxes.append(box(chapter, needed, here, column % COLOURS, address))
    return (
        f'<svg class="mapa-dibujo" viewBox="-12 0 {width + 14} {height + 2}" role="group" '
        'aria-label="Dibujo del mapa: en qué capítulos se apoya cada uno">'
        f'<g class="dibujo-lineas" aria-hidden="true">{"".join(lines)}</g>'
        f'<g class="dibujo-partes" aria-hidden="true">{"".join(titles)}</g>{"".join(boxes)}</svg>'
    )
