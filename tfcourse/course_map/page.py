"""El mapa del curso, dibujado: una tabla si cabe y, en un móvil, una tarjeta por modelo."""

from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path

from jaxtyping import Bool
from torch import Tensor

from tfcourse.course_map.patterns import PATTERNS
from tfcourse.course_map.rows import PARTS, Row
from tfcourse.course_map.tour import course_rows

_FOLDER = Path(__file__).parents[1] / "widgets"
COLUMNS = ("Modelo", "Tokens", "Quién mira a quién", "Aprende a dar", "Cabeza", "Parámetros")
SHORT = ("", "Tokens", "Mira", "Da", "Cabeza", "Pesos")  # en un móvil, al lado de cada dato
NOTHING = "—"


class CourseMap:
    """El mapa del curso: se muestra al dejarlo como última expresión de una celda.

    No lleva guiones ni pide nada a la red, y los enlaces van a los cuadernos; el sitio los cambia
    por sus páginas y les pone el número del capítulo.
    """

    def __init__(self, rows: Sequence[Row] | None = None):
        self.rows = tuple(course_rows() if rows is None else rows)

    def __repr__(self) -> str:
        return "\n".join(
            f"{row.name} ({row.chapter_name}): {_parameters(row)} parámetros" for row in self.rows
        )

    def _repr_html_(self) -> str:
        """La tabla, en HTML, con su leyenda."""
        used = dict.fromkeys(pattern for row in self.rows for _, pattern in row.looks)
        names = [name for name in PATTERNS if name in used]
        symbols = "".join(_symbol(name) for name in names)
        legend = "".join(
            f"<li>{_icon(name)}<span><b>{escape(name)}</b>: {escape(PATTERNS[name].meaning)}"
            "</span></li>"
            for name in names
        )
        groups = groupby(self.rows, key=lambda row: row.part)
        return (
            f'<div class="tfc tfc-map" lang="es"><style>{_style()}</style>'
            f'<svg width="0" height="0" aria-hidden="true">{symbols}</svg>'
            f'<ul class="tfc-legend" aria-label="Los patrones de atención">{legend}</ul>'
            f"{''.join(_group(part, list(rows)) for part, rows in groups)}</div>"
        )


def mask_path(mask: Bool[Tensor, "Lq Lk"]) -> str:
    """Las casillas que se pueden mirar, como el trazo de un SVG: una unidad por casilla."""
    strokes = []
    for y, line in enumerate(mask.tolist()):
        x = 0
        for allowed, run in groupby(line):
            width = len(list(run))
            if allowed:
                strokes.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return "".join(strokes)


def _symbol(name: str) -> str:
    mask = PATTERNS[name].draw()
    height, width = mask.shape
    return (
        f'<symbol id="{_anchor(name)}" viewBox="0 0 {width} {height}" preserveAspectRatio="none">'
        f'<path d="{mask_path(mask)}"/></symbol>'
    )


def _icon(name: str) -> str:
    height, width = PATTERNS[name].draw().shape
    tall = max(0.6, 2 * height / max(height, width))  # una sola fila también se tiene que ver
    return (
        f'<svg class="tfc-mask" style="height:{tall:g}em" aria-hidden="true">'
        f'<use href="#{_anchor(name)}"/></svg>'
    )


def _anchor(name: str) -> str:
    return f"mascara-{list(PATTERNS).index(name)}"


def _group(part: str, rows: Sequence[Row]) -> str:
    title = f"{part.split('_')[0]} · {PARTS[part]}"
    count = f"{len(rows)} modelo{'s' if len(rows) > 1 else ''}"
    head = "".join(f'<th scope="col">{column}</th>' for column in COLUMNS)
    return (
        f"<details open><summary>{title} <small>{count}</small></summary>"
        f"<table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(_line(row) for row in rows)}</tbody></table></details>"
    )


def _line(row: Row) -> str:
    link = f'<a href="../{row.chapter}.ipynb">{row.chapter_name}</a>'
    cells = (
        _cell(1, escape(row.tokens) + _widths(row.read_widths)),
        _cell(2, _looks(row)),
        _cell(3, escape(row.objective)),
        _cell(4, escape(row.head) + _widths(row.written_widths)),
        _cell(5, _parameters(row)),
    )
    return f'<tr><th scope="row">{escape(row.name)} <small>{link}</small></th>{"".join(cells)}</tr>'


def _cell(column: int, content: str) -> str:
    return f'<td data-name="{SHORT[column]}"><div>{content}</div></td>'


def _looks(row: Row) -> str:
    if not row.looks:
        return f'<span class="tfc-none">{escape(row.instead)}</span>'
    return "".join(
        f'<span class="tfc-look">{_icon(name)}'
        f"<span>{escape(who)}: <b>{escape(name)}</b></span></span>"
        for who, name in row.looks
    )


def _widths(pair: tuple[int, int] | None) -> str:
    return (
        "" if pair is None else f" <small>{_number(pair[0])}&nbsp;→&nbsp;{_number(pair[1])}</small>"
    )


def _parameters(row: Row) -> str:
    return NOTHING if row.parameters is None else _number(row.parameters)


def _number(n: int) -> str:
    """Los millares, separados con un espacio que no se parte, desde las cinco cifras."""
    return f"{n:,}".replace(",", "\u202f") if n >= 10_000 else str(n)


@cache
def _style() -> str:
    names = ("palette.css", "course_map.css")
    return "".join((_FOLDER / name).read_text(encoding="utf-8") for name in names)
