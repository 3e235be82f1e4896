"""El buscador del sitio: un índice por apartados que la página consulta sin servidor ni red.

El de Sphinx distingue las tildes («codificacion» no encuentra «codificación») y no dice en qué
apartado está lo que encuentra. Este guarda el texto de cada apartado, término del glosario, función
y capítulo del mapa; `static/buscar.js` lo recorre entero, que a este tamaño es inmediato.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, NavigableString, Tag

NAME = "_static/indice.js"
# Lo que no se busca: código y salidas, enlaces de los títulos, la copia de las fórmulas para
# lectores de pantalla, y los cuestionarios y figuras, que se repiten o son datos.
IGNORED = "pre, script, style, nav.contents, .headerlink, .katex-mathml, .tfc, .tfc-question"
PLACES = re.compile(r"h[1-6]|dt|li")


def use_our_search(app) -> None:
    """Deja fuera el buscador de Sphinx, con su índice y su página."""
    if app.builder.format == "html":
        app.builder.search = False


def sections(html: str) -> Iterator[tuple[str, str, str]]:
    """Ancla, título y texto de cada apartado de una página, por su orden."""
    article = BeautifulSoup(html, "html.parser").select_one("article")
    for element in article.select(IGNORED):
        element.decompose()
    anchor, title, words = "", "", []
    for node in article.descendants:
        if isinstance(node, Tag) and is_place(node):
            if title:
                yield anchor, title, " ".join("".join(words).split())
            anchor, title, words = node["id"], name_of(node), []
        elif isinstance(node, NavigableString):
            words.append(str(node))
        elif isinstance(node, Tag) and node.name in ("p", "td", "th", "li", "dd", "br"):
            words.append(" ")
    if title:
        yield anchor, title, " ".join("".join(words).split())


def is_place(node: Tag) -> bool:
    """Si con este elemento empieza algo a lo que un resultado puede llevar."""
    if not node.get("id") or not PLACES.fullmatch(node.name):
        return False
    return node.name != "li" or "mapa-capitulo" in node.get("class", ())


def name_of(node: Tag) -> str:
    """El título de un apartado, el término de una definición o el nombre de una función."""
    named = node.select_one(".mapa-titulo, .descname") or node
    return " ".join(named.get_text().split())


def write_index(app, failure) -> None:
    """Escribe el índice con las páginas del libro ya terminadas."""
    if failure or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    pages = []
    for path in sorted((folder / "chapters").rglob("*.html")):
        found = list(sections(path.read_text(encoding="utf-8")))
        pages.append([path.relative_to(folder).as_posix(), found])
    # Un guion, y no un JSON, para que también se pueda buscar al abrir el sitio como archivos.
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    (folder / NAME).write_text(f"window.tfcourseIndex = {text};\n", encoding="utf-8")


def setup_search(app) -> None:
    """Conecta el índice con el final de la construcción, cuando las páginas no cambian más."""
    app.connect("builder-inited", use_our_search)
    app.connect("build-finished", write_index, priority=990)
