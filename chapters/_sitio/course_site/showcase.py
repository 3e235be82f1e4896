"""Muestras de lo que sale del curso: una figura guardada y lo que el capítulo enseña a hacer."""

from base64 import b64decode
from html import escape
from io import BytesIO
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from course_site.chapters import ROOT, chapters

FOLDER = "_images"
TALL = 352  # píxeles de alto de una muestra: el doble de los que ocupa (`.escaparate img`)


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


def small(picture: bytes) -> bytes:
    """La imagen en pequeño y en WebP: la portada enseña varias, y no caben enteras."""
    # Pillow viene con matplotlib, pero tarda en cargarse: solo al guardar una muestra.
    from PIL import Image

    saved = BytesIO()
    with Image.open(BytesIO(picture)) as whole:
        sample = whole.convert("RGB")
        sample.thumbnail((sample.width, TALL), Image.Resampling.LANCZOS)
        sample.save(saved, "WEBP", quality=80, method=6)
    return saved.getvalue()


class ShowcaseDirective(SphinxDirective):
    """Directiva `{escaparate}`: una línea por muestra, `capitulo figura: lo que se aprende`."""

    has_content = True

    def run(self):
        """Enlaza cada imagen con su capítulo; se guardan al escribir la página."""
        samples = [line.partition(": ")[0].split() for line in self.content]
        return [nodes.raw("", self.html(), format="html", muestras=samples)]

    def html(self) -> str:
        """La lista de muestras."""
        return f'<ul class="escaparate">{"".join(map(self.sample, self.content))}</ul>'

    def sample(self, line: str) -> str:
        """Una muestra."""
        place, _, told = line.partition(": ")
        slug, name = place.split()
        _, alternative = stored_figure(slug, name)
        page = chapters()[slug].page
        self.env.note_dependency(str(ROOT / f"{page}.ipynb"))
        builder = self.env.app.builder
        here = builder.get_target_uri(self.env.docname)
        up = "../" * here.count("/")
        address = builder.get_relative_uri(self.env.docname, page)
        return (
            f'<li><a href="{escape(address)}"><span class="escaparate-marco">'
            f'<img alt="{escape(alternative)}" src="{up}{FOLDER}/muestra-{name}.webp"></span>'
            f"<span>{escape(told)}</span></a></li>"
        )


def write_samples(app, doctree, _docname) -> None:
    """Guarda las imágenes de una página al escribirla, también si no se ha vuelto a leer."""
    for raw in doctree.findall(nodes.raw):
        for slug, name in raw.get("muestras", ()):
            target = Path(app.outdir) / FOLDER / f"muestra-{name}.webp"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(small(stored_figure(slug, name)[0]))


def setup_showcase(app) -> None:
    """Da de alta la directiva y guarda sus imágenes."""
    app.add_directive("escaparate", ShowcaseDirective)
    app.connect("doctree-resolved", write_samples)
