"""Las diapositivas de un capítulo, en un solo archivo que no pide nada a la red."""

import base64
import html
from pathlib import Path

from workshop.slides.markup import inline
from workshop.slides.reading import Asked, Figure, Play, Section, Talk

HERE = Path(__file__).parent
LICENCE = "https://creativecommons.org/licenses/by/4.0/deed.es"
PLAY = "Aquí la página tiene una figura con la que se juega: ábrela en el sitio o en Colab."


def deck_html(talk: Talk) -> str:
    """La página entera: se pasa con el teclado, se imprime a una por hoja y se lee sin guiones."""
    slides = [_cover(talk), _goals(talk), *map(_slide, talk.slides), _end(talk)]
    body = "\n".join(
        f'<section class="{kind}" aria-label="{place} de {len(slides)}">\n{inside}\n</section>'
        for place, (kind, inside) in enumerate(slides, start=1)
    )
    style, script = ((HERE / name).read_text(encoding="utf-8") for name in ("deck.css", "deck.js"))
    return (
        '<!doctype html>\n<html lang="es">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(talk.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n{_BUTTONS}\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


_BUTTONS = (
    '<nav aria-label="Diapositivas" hidden>'
    '<button type="button" data-step="-1" aria-label="Anterior">‹</button>'
    '<output role="status"></output>'
    '<button type="button" data-step="1" aria-label="Siguiente">›</button></nav>'
)


def _cover(talk: Talk) -> tuple[str, str]:
    return "portada", (
        f"<p>{inline(talk.part)}</p>\n<h1>{inline(talk.title)}</h1>\n"
        f'<p class="pregunta">{inline(talk.question)}</p>'
    )


def _goals(talk: Talk) -> tuple[str, str]:
    return "lista", f"<h2>Al terminar sabrás</h2>\n{_items(talk.goals)}"


def _slide(slide: Section | Figure | Play | Asked) -> tuple[str, str]:
    """La clase y lo de dentro de una diapositiva."""
    if isinstance(slide, Section):
        return "seccion", f"<h2>{inline(slide.title)}</h2>\n{_items(slide.parts)}"
    if isinstance(slide, Play):
        return "viva", f"<h3>{inline(slide.heading)}</h3>\n<p>{PLAY}</p>"
    if isinstance(slide, Asked):
        return "cuestion", _question(slide)
    picture = base64.b64encode(slide.png).decode("ascii")
    return "figura", (
        f"<h3>{inline(slide.heading)}</h3>\n<figure>\n"
        f'<img src="data:image/png;base64,{picture}" alt="{html.escape(slide.alt)}">\n'
        f"<figcaption>{inline(slide.caption)}</figcaption>\n</figure>"
    )


def _question(asked: Asked) -> str:
    """Una pregunta con sus respuestas y, plegado, cuál es y por qué."""
    answers = "".join(f"<li>{inline(answer.text)}</li>" for answer in asked.answers)
    place, right = next((i, a) for i, a in enumerate(asked.answers) if a.right)
    return (
        f'<h3>{inline(asked.text)}</h3>\n<ol type="a">{answers}</ol>\n'
        f"<details><summary>La respuesta</summary>"
        f"<p><strong>{chr(ord('a') + place)})</strong> {inline(right.why)}</p></details>"
    )


def _end(talk: Talk) -> tuple[str, str]:
    source = html.escape(talk.repository.removeprefix("https://"))
    return "cierre", (
        f"<h2>Para ejecutarlo</h2>\n"
        f'<p><a href="{html.escape(talk.colab)}">El cuaderno, en Colab</a></p>\n'
        f"<p>Figuras y texto de {source}, con licencia "
        f'<a href="{LICENCE}">CC BY 4.0</a>, salvo lo que diga el pie de una figura.</p>'
    )


def _items(texts: tuple[str, ...]) -> str:
    return f"<ul>{''.join(f'<li>{inline(text)}</li>' for text in texts)}</ul>" if texts else ""
