"""Los números de los capítulos: salen de `_toc.yml`, y en el sitio se escriben aquí.

Los cuadernos no dicen ninguno: sus títulos van sin número, sus ejercicios se cuentan desde el 1 y
sus enlaces nombran el capítulo. Así se leen igual fuera del sitio, e intercalar un capítulo no
obliga a tocar los demás.
"""

import posixpath
import re
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

import yaml
from docutils import nodes

from workshop.notebooks.book import Chapter, book_chapters

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "chapters/mapa.yml"
# Antes de que Sphinx apunte los títulos (500), que es de donde salen el menú y los índices.
EARLY = 400

BOX = re.compile(r'(<p class="admonition-title">Ejercicio )(\d+</p>)')
NAMED = re.compile(r"([Cc]apítulo) (?:del?|sobre) .+", re.DOTALL)
# El enlace a un capítulo que escribió una celda.
LINK = re.compile(r'<a href="((?:\.\./)+\w+/(\w+)\.ipynb)">([^<]+)</a>')


@cache
def chapters() -> dict[str, Chapter]:
    """Los capítulos del libro por su nombre, en el orden del índice."""
    return {chapter.slug: chapter for chapter in book_chapters(ROOT)}


@cache
def load_map() -> dict:
    """Contenido de `mapa.yml`, con el número de cada capítulo."""
    return with_numbers(yaml.safe_load(DATA.read_text(encoding="utf-8")), chapters())


def with_numbers(data: dict, book: dict[str, Chapter]) -> dict:
    """Los datos del mapa con el número de cada capítulo; `None` si aún no está en el índice."""
    for entry in all_chapters(data).values():
        entry["numero"] = book[entry["slug"]].number if entry["slug"] in book else None
    return data


def all_chapters(data: dict) -> dict[str, dict]:
    """Lo que dice el mapa de cada capítulo, por su nombre."""
    return {entry["slug"]: entry for part in data["partes"] for entry in part["capitulos"]}


def numbered(number: int | None, title: str) -> str:
    """«16. DETR: detección como conjunto»; sin número, solo el título."""
    return title if number is None else f"{number}. {title}"


def published(docnames: Iterable[str]) -> dict[str, dict[str, str]]:
    """Páginas ya publicadas de cada capítulo, en el orden del índice."""
    names, pages = set(docnames), {}
    for chapter in chapters().values():
        own = {"capitulo": chapter.page, "ejercicios": chapter.exercises}
        if found := {kind: page for kind, page in own.items() if page in names}:
            pages[chapter.slug] = found
    return pages


def chapter_of(docname: str, book: dict[str, Chapter]) -> Chapter | None:
    """El capítulo de una página, sea la suya o la de sus ejercicios."""
    return next((c for c in book.values() if docname in (c.page, c.exercises)), None)


def number_page(app, doctree) -> None:
    """Escribe el número en el título de un capítulo y en los recuadros de sus ejercicios."""
    chapter = chapter_of(app.env.docname, chapters())
    if chapter is None:
        return
    if app.env.docname == chapter.page:
        number_title(doctree, chapter.number)
    else:
        number_boxes(doctree, chapter.number)


def number_title(doctree, number: int) -> None:
    """«DETR: …» → «16. DETR: …»."""
    title = next(doctree.findall(nodes.title))
    title.insert(0, nodes.Text(f"{number}. "))


def number_boxes(doctree, number: int) -> None:
    """«Ejercicio 3» pasa a llevar delante el número del capítulo."""
    for raw in list(doctree.findall(nodes.raw)):
        html = BOX.sub(rf"\g<1>{number}.\2", raw.astext())
        if html != raw.astext():
            raw.replace_self(nodes.raw("", html, format="html"))


def cited(text: str, short: str, number: int) -> str | None:
    """El texto de un enlace a un capítulo, con su número; `None` si no lo cita.

    «capítulo de GPT» se queda en «capítulo» y el número; en una lista de capítulos, «de GPT» es
    solo el número.
    """
    if text == short:
        return str(number)
    match = NAMED.fullmatch(text)
    return match and f"{match[1]} {number}"


def number_links(app, doctree, docname: str) -> None:
    """Pone el número en los enlaces que citan un capítulo; su título, al pasar por encima."""
    for link in doctree.findall(nodes.reference):
        chapter = target(docname, link.get("refuri", ""))
        if chapter is None:
            continue
        entry = all_chapters(load_map())[chapter.slug]
        text = cited(link.astext(), entry["corto"], chapter.number)
        if text:
            link.children = []
            link += nodes.inline(text=text)
            link["reftitle"] = entry["titulo"]


def target(docname: str, address: str) -> Chapter | None:
    """El capítulo al que lleva una dirección relativa a una página."""
    path = address.partition("#")[0]
    if "://" in address or not path.endswith(".html"):
        return None
    name = posixpath.normpath(posixpath.join(posixpath.dirname(docname), path))
    return next((c for c in chapters().values() if f"{c.page}.html" == name), None)


def number_outputs(html: str, entries: dict[str, dict]) -> str:
    """Pone el número en los enlaces a un capítulo que escribió una celda."""

    def numbered_link(match: re.Match) -> str:
        entry = entries.get(match[2])
        text = entry and entry["numero"] and cited(match[3], entry["corto"], entry["numero"])
        if not text:
            return match[0]
        return f'<a href="{match[1]}" title="{escape(entry["titulo"])}">{text}</a>'

    return LINK.sub(numbered_link, html)


def setup_chapters(app) -> None:
    """Conecta la numeración con la lectura y la escritura de cada página."""
    app.connect("doctree-read", number_page, priority=EARLY)
    app.connect("doctree-resolved", number_links, priority=EARLY)
