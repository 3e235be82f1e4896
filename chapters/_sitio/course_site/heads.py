"""La cabecera de cada página: su descripción y lo que de ella muestran redes y buscadores."""

import re
from html import unescape

from course_site.chapters import all_chapters, load_map, published

LONGEST = 155
DEFAULT = (
    "Un curso en español que construye los Transformers pieza a pieza, con cuadernos que se leen, "
    "se ejecutan y se corrigen solos."
)


def describe(app, pagename, _template, context, _doctree) -> None:
    """Da a la plantilla la descripción de la página y la dirección de su imagen."""
    chapter = chapter_of(app.env.found_docs, pagename)
    context["description"] = context.get("summary") or description(
        chapter, pagename, context.get("body", "")
    )
    name = chapter["slug"] if chapter else "curso"
    context["social_image"] = f"{app.config.html_baseurl}_static/social/{name}.png"


def chapter_of(docnames, pagename: str) -> dict | None:
    """El capítulo del mapa al que pertenece una página, si es de alguno."""
    for slug, pages in published(docnames).items():
        if pagename in pages.values():
            return all_chapters(load_map())[slug]
    return None


def description(chapter: dict | None, pagename: str, body: str) -> str:
    """Una frase: la pregunta del capítulo o el principio de la página."""
    if chapter and pagename.endswith("_ejercicios"):
        return f"Ejercicios que se corrigen solos: {chapter['titulo']}. {chapter['pregunta']}"
    if chapter:
        return f"{chapter['pregunta']} Capítulo {chapter['numero']} del curso."
    for paragraph in re.findall(r"<p>(.*?)</p>", body, re.DOTALL):
        text = " ".join(unescape(re.sub(r"<[^>]*>", "", paragraph)).split())
        if len(text) > 60:
            return shortened(text)
    return DEFAULT


def shortened(text: str) -> str:
    """El principio de un texto, cortado por palabras."""
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def setup_heads(app) -> None:
    """Conecta la descripción con la escritura de cada página."""
    app.connect("html-page-context", describe, priority=100)
