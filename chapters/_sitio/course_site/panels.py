"""Los paneles de mandos: en la página solo está su imagen, y se dice dónde se mueven."""

import re
from html import escape

from course_site.assets import colab_url

PANEL = re.compile(r'<div class="cell [^"]*\btag_panel\b[^"]*">')
NOTE = (
    '<p class="panel-nota">Esta salida tiene mandos. Aquí se ve con los valores del principio; '
    'para moverlos, <a href="{colab}">abre el cuaderno en Colab</a> o en tu Jupyter y ejecútalo '
    "hasta aquí.</p>\n"
)


def add_notes(app, pagename: str, _template, context, _doctree) -> None:
    """Antes de cada panel, la nota que dice cómo moverlo."""
    body = context.get("body", "")
    if "tag_panel" in body:
        note = NOTE.format(colab=escape(colab_url(app.config, f"{pagename}.ipynb")))
        context["body"] = PANEL.sub(lambda match: note + match[0], body)


def setup_panels(app) -> None:
    """Conecta la nota con la escritura de cada página."""
    app.connect("html-page-context", add_notes, priority=600)
