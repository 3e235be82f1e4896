"""Términos del glosario en los capítulos: el primero de cada página enlaza y enseña su definición.

Quien escribe un capítulo no tiene que marcarlos. La definición aparece al pasar por encima o al
llegar con el teclado (`static/sitio.js`); sin guiones, queda el enlace.
"""

import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.util.nodes import make_refnode

GLOSSARY = "chapters/glosario"
NAME = "_static/glosario.js"
CHAPTER = re.compile(r"chapters/\d_")
# Dentro de esto no se enlaza: ya es un enlace, no es prosa o tiene su propio papel.
CLOSED = (nodes.reference, pending_xref, nodes.literal, nodes.math, nodes.title, nodes.caption)
CLOSED += (nodes.term, nodes.raw, nodes.literal_block, nodes.emphasis)
# Capítulo → términos que en él quieren decir otra cosa: allí la semilla es de una consulta.
OTHER_SENSE = {"segmentacion": ("semilla",)}


def link_terms(app, doctree, docname: str) -> None:
    """Enlaza en un capítulo la primera aparición de cada término."""
    if not CHAPTER.match(docname):
        return
    objects = app.env.get_domain("std").objects
    targets = {name: anchor for (kind, name), (_, anchor) in objects.items() if kind == "term"}
    every = tuple(sorted(targets, key=len, reverse=True))
    others = OTHER_SENSE.get(chapter(docname), ())
    pending = {name: anchor for name, anchor in targets.items() if name not in others}
    for paragraph in list(doctree.findall(nodes.paragraph)):
        for text in list(paragraph.findall(nodes.Text)):
            if pending and not any(map(is_closed, ancestors(text))):
                link_in_text(app, docname, text, every, pending)


def chapter(docname: str) -> str:
    """El nombre de un capítulo; el de sus ejercicios, también."""
    return Path(docname).name.removesuffix("_ejercicios")


def is_closed(node) -> bool:
    """Si dentro de un nodo no se enlaza; tampoco en la ficha, que se lee de un vistazo."""
    return isinstance(node, CLOSED) or "ficha" in node.get("classes", ())


def ancestors(node):
    """Los nodos que contienen a uno."""
    while node.parent is not None:
        node = node.parent
        yield node


def link_in_text(app, docname: str, text: nodes.Text, every: tuple, pending: dict) -> None:
    """Parte un texto por los términos pendientes, de entre todos, y hace de cada uno un enlace."""
    parts, done, content = [], 0, text.astext()
    for match in pattern(every).finditer(content):
        term = next((name for name in pending if one_term(name).fullmatch(match[0])), None)
        if term is None:  # ya se enlazó antes
            continue
        inner = nodes.inline(text=match[0])
        link = make_refnode(app.builder, docname, GLOSSARY, pending.pop(term), inner)
        link["classes"].append("termino")
        parts += [nodes.Text(content[done : match.start()]), link]
        done = match.end()
    if parts:
        text.parent.replace(text, [*parts, nodes.Text(content[done:])])


@cache
def one_term(name: str) -> re.Pattern:
    """Un término, en singular o plural y con mayúscula o sin ella."""
    return re.compile(expression(name), re.IGNORECASE)


@cache
def pattern(names: tuple[str, ...]) -> re.Pattern:
    """Cualquiera de los términos, como palabras enteras; el más largo, primero."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(expression, names))})(?!\w)", re.IGNORECASE)


def expression(name: str) -> str:
    """La expresión regular de un término."""
    words = (re.escape(word) for word in name.split())
    plural = (f"{w[:-2]}(?:ón|ones)" if w.endswith("ón") else f"{w}(?:e?s)?" for w in words)
    return r"\s+".join(plural)


class Definitions(HTMLParser):
    """Saca de la página del glosario el primer párrafo de cada definición."""

    def __init__(self):
        """Sin ninguna definición."""
        super().__init__(convert_charrefs=False)
        self.found: dict[str, str] = {}
        self.anchor = ""
        self.depth = 0  # cuántas etiquetas abiertas dentro del párrafo
        self.silent = 0  # y cuántas dentro de lo que se calla: el dibujo de una fórmula

    def handle_starttag(self, tag, attrs):
        """Empieza un término o un párrafo, o sigue dentro de él."""
        attributes = dict(attrs)
        if tag == "dt":
            self.anchor = attributes.get("id") or ""
        elif self.silent:
            self.silent += 1
        elif self.depth:
            if "katex-html" in (attributes.get("class") or "") or tag == "annotation":
                self.silent = 1
                return
            self.depth += 1
            self.write(f"<{tag}>" if tag != "a" else "<span>")
        elif tag == "p" and self.anchor and self.anchor not in self.found:
            self.found[self.anchor], self.depth = "", 1

    def handle_endtag(self, tag):
        """Termina una etiqueta de dentro o el párrafo."""
        if self.silent:
            self.silent -= 1
        elif self.depth:
            self.depth -= 1
            if self.depth:
                self.write(f"</{tag}>" if tag != "a" else "</span>")

    def handle_data(self, data):
        """Copia el texto del párrafo."""
        self.write(data if self.depth and not self.silent else "")

    def handle_entityref(self, name):
        """Copia una entidad con nombre."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name):
        """Copia una entidad con número."""
        self.handle_data(f"&#{name};")

    def write(self, text: str) -> None:
        """Añade algo a la definición en curso."""
        if text:
            self.found[self.anchor] += text


def write_definitions(app, failure) -> None:
    """Escribe las definiciones que enseñan los capítulos."""
    page = Path(app.outdir) / f"{GLOSSARY}.html"
    if failure or app.builder.format != "html" or not page.exists():
        return
    reader = Definitions()
    reader.feed(page.read_text(encoding="utf-8"))
    text = json.dumps(reader.found, ensure_ascii=False, separators=(",", ":"))
    (Path(app.outdir) / NAME).write_text(f"window.tfcourseTerms = {text};\n", encoding="utf-8")


def setup_terms(app) -> None:
    """Conecta los enlaces con la escritura de cada página y las definiciones con el final."""
    app.connect("doctree-resolved", link_terms)
    app.connect("build-finished", write_definitions, priority=980)
