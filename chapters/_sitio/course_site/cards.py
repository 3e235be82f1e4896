"""Imágenes para compartir: el título y la pregunta de cada capítulo, con los colores del curso."""

import textwrap
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont

from course_site.chapters import all_chapters, load_map, published

SIZE = (1200, 630)
PAPER, INK, SOFT = "#12171d", "#ffffff", "#b3c0cc"
# Los del logotipo en el tema oscuro: consulta, clave y valor.
QUERY, KEY, VALUE = "#6cc4e8", "#f2a65a", "#8fcb7b"
MARGIN = 80


def font(size: int, weight: str = "") -> ImageFont.FreeTypeFont:
    """La letra que trae Matplotlib: la misma en todas las máquinas."""
    folder = Path(matplotlib.get_data_path()) / "fonts/ttf"
    return ImageFont.truetype(str(folder / f"DejaVuSans{weight}.ttf"), size)


def draw_logo(draw: ImageDraw.ImageDraw, left: int, top: int, unit: int) -> None:
    """El logotipo: una consulta que mira a tres claves, a cada una con su peso."""
    columns = [left + unit * step for step in (1, 4, 7)]
    low = top + 5 * unit
    for x, width in zip(columns, (unit // 7, unit // 3, unit), strict=True):
        draw.line([(columns[1], top + unit), (x, low)], fill=VALUE, width=max(2, width))
    for x in columns:
        box = [x - unit, top, x + unit, top + 2 * unit]
        draw.rounded_rectangle(box, unit // 2, fill=QUERY if x == columns[1] else "#3a6478")
        draw.ellipse([x - unit, low - unit, x + unit, low + unit], fill=KEY)


def card(title: str, subtitle: str, over: str) -> Image.Image:
    """Una imagen con un título, lo que va encima y lo que va debajo."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw_logo(draw, SIZE[0] - MARGIN - 8 * 18, MARGIN - 20, 18)
    draw.text((MARGIN, MARGIN), over, font=font(32), fill=QUERY)
    heading = "\n".join(textwrap.wrap(title, 27))
    draw.multiline_text((MARGIN, 175), heading, font=font(62, "-Bold"), fill=INK, spacing=16)
    below = draw.multiline_textbbox((MARGIN, 175), heading, font=font(62, "-Bold"), spacing=16)[3]
    text = "\n".join(textwrap.wrap(subtitle, 52))
    draw.multiline_text((MARGIN, below + 40), text, font=font(33), fill=SOFT, spacing=12)
    return image.quantize(64)


def write_cards(app, failure) -> None:
    """Escribe la imagen del curso y la de cada capítulo publicado."""
    if failure or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static/social"
    folder.mkdir(parents=True, exist_ok=True)
    course = card(
        "Aprende Transformers desde cero", "Un curso en español, pieza a pieza", "tfcourse"
    )
    course.save(folder / "curso.png", optimize=True)
    chapters = all_chapters(load_map())
    for slug in published(app.env.found_docs):
        chapter = chapters[slug]
        over = f"tfcourse · Capítulo {chapter['numero']}"
        made = card(chapter["titulo"], chapter["pregunta"], over)
        made.save(folder / f"{slug}.png", optimize=True)


def setup_cards(app) -> None:
    """Conecta las imágenes con el final de la construcción."""
    app.connect("build-finished", write_cards)
