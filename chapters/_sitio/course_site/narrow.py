"""Las figuras en un móvil: a un tamaño en que su letra se lee y, si son varios dibujos, apilados.

Los trozos son la misma imagen, vista por ventanas: no pesan más y no cambian nada en una pantalla
ancha ni en papel. `piezas.css` muestra los trozos o la figura entera.
"""

import re
from pathlib import Path

from course_site.chapters import ROOT
from course_site.cutting import Box, Piece
from course_site.drawings import FITS, Drawing, drawings

GAP = 8  # píxeles entre dos trozos, como en `piezas.css`
FIGURE = re.compile(
    r'(<figure[^>]* id="(?P<name>[^"]+)">\s*)<img (?P<rest>[^>]*?)\s*/?>(?=\s*<figcaption)'
)

# Lo que se desliza es la lámina, y no el pie; `sitio.js` lo dice a quien no la ve.
SHEET = '<span class="lamina">{}</span>'


def percent(part: float, whole: int) -> str:
    """Un porcentaje, tal como se escribe en una hoja de estilo."""
    return f"{100 * part / whole:.3f}%".replace(".000%", "%")


def window(box: Box, share: int, rest: str, whole: Box) -> str:
    """La imagen vista por un rectángulo, que ocupa su parte del trozo."""
    place = f"width:{percent(whole.width, box.width)}"
    place += f";margin:{percent(-box.y, box.width)} 0 0 {percent(-box.x, box.width)}"
    size = f"width:{percent(box.width, share)};aspect-ratio:{box.width}/{box.height}"
    return f'<span style="{size}"><img {rest} alt="" class="pieza" style="{place}"></span>'


def wide(boxes: Piece) -> int:
    """Lo que ocupa un trozo a lo ancho."""
    return sum(box.width for box in boxes)


def piece(boxes: Piece, rest: str, whole: Box, *, apart: bool) -> str:
    """Un trozo; `apart`, si es un título común, que va en su fila."""
    width = wide(boxes)
    size = f"--ancho:{width}" + (f";--mayor:{width};--junto:1" if apart else "")
    windows = "".join(window(box, width, rest, whole) for box in boxes)
    return f'<span class="trozo" style="{size}">{windows}</span>'


def narrowed(rest: str, drawn: Drawing) -> str:
    """Una figura con su escala y, detrás, sus trozos, que dicen lo mismo a quien no los ve."""
    width, height = (int(re.search(rf'{side}="(\d+)"', rest)[1]) for side in ("width", "height"))
    told = re.search(r'alt="([^"]*)"', rest)[1]
    entire = f'<img style="--ancho:{width};--letra:{drawn.scale:.3f}" {rest}>'
    if not drawn.pieces:
        return SHEET.format(entire)
    plain = re.sub(r'\s*(alt|class)="[^"]*"', "", rest).strip()
    whole = Box(0, 0, width, height)
    tallest = max(boxes[-1].height for boxes in drawn.pieces)
    apart = [boxes[-1].height < tallest for boxes in drawn.pieces]
    widest = max(wide(one) for one, alone in zip(drawn.pieces, apart, strict=True) if not alone)
    beside = max(1, int((FITS + GAP) / (widest * drawn.scale + GAP)))
    pieces = "".join(
        piece(boxes, plain, whole, apart=alone)
        for boxes, alone in zip(drawn.pieces, apart, strict=True)
    )
    style = f'style="--letra:{drawn.scale:.3f};--mayor:{widest};--junto:{beside}"'
    heap = f'<span class="trozos" role="img" aria-label="{told}" {style}>{pieces}</span>'
    return SHEET.format(entire + heap)


def narrow_figures(site: Path, page: Path, text: str) -> str:
    """La página con lo que cada figura de su cuaderno necesita en un móvil."""
    notebook = (ROOT / page.relative_to(site)).with_suffix(".ipynb")
    known = drawings(notebook) if "<figure" in text and notebook.exists() else {}

    def done(match: re.Match) -> str:
        if match["name"] not in known:
            return match[0]
        return match[1] + narrowed(match["rest"], known[match["name"]])

    return FIGURE.sub(done, text) if known else text
