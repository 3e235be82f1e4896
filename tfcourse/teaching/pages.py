"""Páginas HTML de un solo archivo, en español, que se leen en el móvil y no piden nada a la red."""

import re
from html import escape

from markdown_it import MarkdownIt

from tfcourse.teaching.guard import RENDERING_SECONDS, OutOfBounds, bounded, clean, storable

STYLE = """\
:root { color-scheme: light dark; --fondo: #fff; --texto: #1d1d1f; --suave: #f3f4f6;
  --bien: #0a6b2f; --mal: #a11d1d; --borde: #c9ccd1; }
@media (prefers-color-scheme: dark) { :root { --fondo: #16181c; --texto: #ececec;
  --suave: #24272d; --bien: #7ddc9a; --mal: #ff9d9d; --borde: #4a4f58; } }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--fondo);
  color: var(--texto); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin-bottom: .25rem }
h2 { font-size: 1.15rem; margin: 0 0 .5rem }
.nota { font-size: 1.6rem; font-weight: 700 }
article { border: 1px solid var(--borde); border-radius: .5rem; padding: 1rem; margin: 1rem 0 }
.bien { color: var(--bien) } .mal { color: var(--mal) }
pre { background: var(--suave); padding: .75rem; border-radius: .375rem; white-space: pre-wrap;
  font-size: .875rem; overflow-wrap: anywhere }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
.tabla { overflow-x: auto; font-size: .9rem; overflow-wrap: normal }
table { border-collapse: collapse }
th, td { text-align: left; padding: .25rem .5rem; vertical-align: top;
  border: 1px solid var(--borde) }
.prosa a { color: inherit }
img { max-width: 100%; background: #fff }
summary { cursor: pointer; padding: .5rem 0 }
@media print { article { break-inside: avoid } }
"""


PAGE = """\
<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""
MAX_PROSE, MAX_CELLS, MAX_HTML = 20_000, 4_000, 400_000
TOO_MUCH = "<p>Es demasiado complicado para darle formato: va tal cual.</p>"
SCROLLED = '<div class="tabla" role="group" aria-label="Tabla" tabindex="0"><table>'
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, body: str) -> str:
    """La página con ese título y ese cuerpo; ni guiones ni recursos de fuera."""
    return PAGE.format(title=escape(title), body=body, style=STYLE, policy=POLICY)


def prose(text: str) -> str:
    """El HTML de un texto en Markdown de otra persona: sus etiquetas se ven, no se obedecen.

    Si dibujarlo cuesta demasiado, va sin formato.
    """
    text = storable(text[:MAX_PROSE])
    try:
        with bounded(RENDERING_SECONDS / 4):
            body = _rendered(text)
    except (OutOfBounds, Exception):
        body = ""
    if not body and text.strip() or len(body) > MAX_HTML:
        body = f"{TOO_MUCH}<pre>{escape(text)}</pre>"
    return f'<div class="prosa">{body}</div>'


def _rendered(text: str) -> str:
    writer = MarkdownIt("commonmark", {"html": False}).disable("image")
    if _cells(text) <= MAX_CELLS:
        writer.enable("table")
    # Sus títulos no son los de la página: quien la oye se perdería en el índice.
    body = re.sub(r"<(/?)h[1-6]>", r"<\1p>", writer.render(text))
    # Una tabla ancha se desplaza sola, también con el teclado.
    return body.replace("<table>", SCROLLED).replace("</table>", "</table></div>")


def _cells(text: str) -> int:
    """Cuántas celdas tendría, como mucho, su mayor tabla: las filas cortas se completan."""
    bars = [line.count("|") for line in text.split("\n") if "|" in line]
    return (max(bars, default=0) + 1) * len(bars)


def with_code(text: str) -> str:
    """Un texto como texto, salvo el código entre comillas invertidas."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(clean(text, MAX_PROSE)))
