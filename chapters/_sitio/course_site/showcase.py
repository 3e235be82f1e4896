"""Muestras de lo que sale del curso: una figura guardada y lo que el capítulo enseña a hacer."""

from base64 import b64decode
from html import escape
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from course_site.chapters import ROOT, chapters

FOLDER = "_images"


def stored_figure(slug: str, name: str) -> tuple[bytes, str]:
    """La imagen de una figura y su texto alternativo. Errores: `ExtensionError` si no está."""
    if slug not in chapters():
        raise ExtensionError(f"no hay ningún capítulo «{slug}»")
    notebook = nbformat.read(ROOT / f"{chapters()[slug].page}.ipynb", as_version=4)
    for cell in notebook.cells:
        about = cell.metadata.get("mystnb", {})
        if about.get("figure", {}).get("name") == name:
            pictures = [
                o.data["image/png"] for o in cell.outputs if "image/png" in o.get("data", {})
            ]
            return b64decode(pictures[0]), about["image"]["alt"]
    raise ExtensionError(f"el capítulo «{slug}» no tiene la figura «{name}»")


class ShowcaseDirective(SphinxDirective):
    """Directiva `{escaparate}`: una línea por muestra, `capitulo figura: lo que se aprende`."""

    has_content = True

    def run(self):
        """Guarda cada imagen en el sitio y la enlaza con su capítulo."""
        return [nodes.raw("", self.html(), format="html")]

    def html(self) -> str:
        """La lista de muestras."""
        return f'<ul class="escaparate">{"".join(map(self.sample, self.content))}</ul>'

    def sample(self, line: str) -> str:
        """Una muestra."""
        place, _, told = line.partition(": ")
        slug, name = place.split()
        picture, alternative = stored_figure(slug, name)
        page = chapters()[slug].page
        self.env.note_dependency(str(ROOT / f"{page}.ipynb"))
        builder = self.env.app.builder
        target = Path(builder.outdir) / FOLDER / f"muestra-{name}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(picture)
        here = builder.get_target_uri(self.env.docname)
        up = "../" * here.count("/")
        address = builder.get_relative_uri(self.env.docname, page)
        return (
            f'<li><a href="{escape(address)}"><span class="escaparate-marco">'
            f'<img alt="{escape(alternative)}" src="{up}{FOLDER}/{target.name}"></span>'
            f"<span>{escape(told)}</span></a></li>"
        )


def setup_showcase(app) -> None:
    """Da de alta la directiva."""
    app.add_directive("escaparate", ShowcaseDirective)
