"""El buscador del sitio: un índice por apartados que la página consulta sin servidor ni red.

El de Sphinx distingue las tildes («codificacion» no encuentra «codificación») y no dice en qué
apartado está lo que encuentra. Este guarda el texto de cada apartado, término del glosario, función
y capítulo del mapa; `static/buscar.js` lo recorre entero, que a este tamaño es inmediato.
"""

import json
from pathlib import Path

from lxml import etree

NAME = "_static/indice.js"
# Lo que no se busca: código y salidas, enlaces de los títulos, la copia de las fórmulas para
# lectores de pantalla, y los cuestionarios y figuras, que se repiten o son datos.
IGNORED_TAGS = {"pre", "script", "style", "math"}
IGNORED_CLASSES = {"headerlink", "tfc", "tfc-question"}
BLOCKS = {"p", "td", "th", "li", "dd", "dt", "br", "figcaption", "h1", "h2", "h3", "h4", "h5"}
# El índice alfabético del paquete repite lo que ya se encuentra en cada página suya.
REPEATED = "donde_esta"
# De cada nombre del paquete se busca su primera frase, la que dice qué es: con las demás, la
# referencia pesaría más que todos los capítulos.
PACKAGE = "referencia/paquete"
TITLES = {"h1", "h2", "h3", "h4", "h5", "dt"}


def use_our_search(app) -> None:
    """Deja fuera el buscador de Sphinx, con su índice y su página."""
    if app.builder.format == "html":
        app.builder.search = False


class Reader:
    """Lee una página y reparte su texto entre los apartados, por su orden.

    `lxml` le cuenta cada etiqueta y cada texto con los métodos `start`, `end`, `data` y `close`.
    """

    def __init__(self):
        """Empieza fuera del artículo, sin ningún apartado."""
        self.sections: list[list[str]] = []  # ancla, título y texto
        self.inside = False
        self.skipping: list[str] = []  # la etiqueta que se salta y las suyas de dentro
        self.naming = ""  # la etiqueta cuyo texto es el título

    def start(self, tag, attributes):
        """Abre un apartado, empieza a saltarse algo o separa dos bloques."""
        classes = set((attributes.get("class") or "").split())
        if tag == "article":
            self.inside = True
        elif self.skipping:
            self.skipping += [tag] * (tag == self.skipping[0])
        elif tag in IGNORED_TAGS or classes & IGNORED_CLASSES:
            self.skipping = [tag]
        elif self.inside and attributes.get("id") and (tag in TITLES or "mapa-capitulo" in classes):
            # El nombre de una función es el final de su ancla, y lo demás de su firma no se busca;
            # los otros títulos se leen.
            known = attributes["id"].rsplit(".")[-1] if "sig" in classes else ""
            self.sections.append([attributes["id"], known, ""])
            self.naming = "" if known or tag == "li" else tag
            if known:
                self.skipping = [tag]
        elif "mapa-titulo" in classes:
            self.naming = tag
        if tag in BLOCKS:
            self.data(" ")

    def end(self, tag):
        """Cierra lo que se saltaba o el título."""
        if self.skipping and tag == self.skipping[0]:
            self.skipping.pop()
        elif tag == self.naming:
            self.naming = ""
        elif tag == "article":
            self.inside = False

    def data(self, data):
        """Añade texto al título o al cuerpo del apartado en curso."""
        if self.inside and self.sections and not self.skipping:
            self.sections[-1][1 if self.naming else 2] += data

    def close(self):
        """Lo leído: ancla, título y texto de cada apartado."""
        return self.sections


def sections(html: str) -> list[list[str]]:
    """Ancla, título y texto de cada apartado de una página."""
    parser = etree.HTMLParser(target=Reader(), encoding="utf-8", huge_tree=True)
    return [
        [anchor, " ".join(title.split()), " ".join(text.split())]
        for anchor, title, text in etree.fromstring(html.encode(), parser)
    ]


def first_sentences(found: list[list[str]]) -> list[list[str]]:
    """Los mismos apartados, con la primera frase de cada uno."""
    return [[anchor, title, text.split(". ")[0]] for anchor, title, text in found]


def write_index(app, failure) -> None:
    """Escribe el índice con las páginas del libro ya terminadas."""
    if failure or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    pages = []
    every = sorted((folder / "chapters").rglob("*.html"))
    for path in (path for path in every if path.parent.name != REPEATED):
        found = sections(path.read_text(encoding="utf-8"))
        name = path.relative_to(folder).as_posix()
        pages.append([name, first_sentences(found) if PACKAGE in name else found])
    # Un guion, y no un JSON, para que también se pueda buscar al abrir el sitio como archivos.
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    (folder / NAME).write_text(f"window.tfcourseIndex = {text};\n", encoding="utf-8")


def setup_search(app) -> None:
    """Conecta el índice con el final de la construcción, cuando las páginas no cambian más."""
    app.connect("builder-inited", use_our_search)
    app.connect("build-finished", write_index, priority=990)
