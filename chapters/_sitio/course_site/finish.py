"""Repaso de las páginas ya escritas: lo que no se puede cambiar desde una plantilla ni un nodo."""

import re
from pathlib import Path

from course_site import figures, narrow, sounds
from course_site.assets import image_sizes
from course_site.chapters import all_chapters, load_map, number_outputs
from course_site.heads import DEFAULT
from course_site.spanish import HTML

# El ancla de un apartado, que Sphinx pone en la sección, y el título al que la pasamos.
SECTION = re.compile(
    r'<section((?: class="[^"]*")?) id=("[^"]*")([^>]*)>'
    r'((?:\s*<span id="[^"]*"></span>)*\s*)<h([1-6])'
)
# Una firma de varias líneas: lista de definiciones sin términos.
SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
LINES = {"<dl>": '<span class="parametros">', "</dl>": "</span>"}
LINES |= {"<dd>": '<span class="parametro">', "</dd>": "</span>"}
CODE = re.compile(r'<div class="highlight.*?</pre>', re.DOTALL)
# Nombres, signos y espacios: del mismo color que el resto, y casi todas las marcas del código.
PLAIN = re.compile(r'<span class="(?:n|nn|o|p|w)">([^<]*)</span>')
# Los trozos de una cadena, con sus comillas y sus llaves, que también comparten color.
STRING = re.compile(r'(?:<span class="s[12adei]">[^<]*</span>){2,}')
TAG = re.compile(r"<[^>]*>")
SHORT = 15  # renglones de un código que en papel va entero
SUMMARY = re.compile(r"<summary.*?</summary>", re.DOTALL)
SPANS = {"<p>": "<span>", "<p ": "<span ", "</p>": "</span>"}
# Un enlace a otro cuaderno que escribió una celda: en el sitio es una página. No los de descarga.
NOTEBOOK = re.compile(r'href="((?:\.\./)+(?!\.\./|_sources/)[^":]+)\.ipynb"')
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
# La celda de preparación, que es igual en todos los capítulos: se ofrece plegada.
PREPARATION = re.compile(
    r'(<div class="cell [^"]*\btag_preparacion\b[^"]*">\s*)'
    r'(<div class="cell_input.*?</pre></div>\s*</div>\s*</div>)',
    re.DOTALL,
)
FOLDED = """<details class="admonition hide above-input">
<summary>
<span class="collapsed admonition-title">Preparación: mostrar el código</span>
<span class="expanded admonition-title">Preparación: ocultar el código</span>
</summary>
{}
</details>"""
# El sitio de una figura interactiva, escrito ya, para que nada salte al dibujarla.
VIEW = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-view\+json">.*?</script>', re.DOTALL
)
PLACE = '<div class="vista pst-js-only"></div>'
# Los objetivos de la ficha: plegados, para que lo primero de un capítulo sea su pregunta.
GOALS = re.compile(
    r'(<p class="admonition-title">Ficha del capítulo</p>\s*)<dl class="simple myst">\s*'
    r"<dt><strong>(Al terminar sabrás)</strong></dt>(.*?)</dl>",
    re.DOTALL,
)
# El hueco de la esquina de una tabla no es un encabezado.
CORNER = re.compile(r'<th class="head[^"]*">(?:<p></p>)?</th>')
REPAIRS = {
    # sphinx-exercise repite este identificador en cada ejercicio.
    '<section id="exercise-content">': '<section class="exercise-content">',
    '<div id="pst-primary-sidebar"': (
        '<div id="pst-primary-sidebar" role="complementary" aria-label="Menú del curso"'
    ),
    'role="doc-biblioentry"': 'role="listitem"',
    # Sin decirlo, con la esquina vacía no se sabría si encabeza la fila o la columna.
    '<th class="stub"': '<th scope="row" class="stub"',
    # El logo claro y el oscuro: solo el que se ve, y con sus medidas.
    'class="logo__image': 'loading="lazy" width="96" height="80" class="logo__image',
}

ENTRANCE = """<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={home}">
<link rel="canonical" href="{home}">
<meta name="description" content="{description}">
<meta property="og:type" content="website">
<meta property="og:locale" content="es_ES">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{description}">
<meta property="og:url" content="{base}">
<meta property="og:image" content="{base}_static/social/curso.png">
<meta property="og:image:alt" content="{title}">
<meta name="twitter:card" content="summary_large_image">
</head>
<body><main><p><a href="{home}">Ir a la portada del curso</a></p></main></body>
</html>
"""


def finish_pages(app, failure) -> None:
    """Repasa cada página y escribe la entrada del sitio."""
    if failure or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    for page in folder.rglob("*.html"):
        text = sounds.as_files(folder, page, finished(page.read_text(encoding="utf-8")))
        text = figures.as_files(folder, page, text)
        text = narrow.narrow_figures(folder, page, image_sizes(page, text))
        page.write_text(text, encoding="utf-8")
    entrance = ENTRANCE.format(
        title=app.config.html_title,
        home=f"{app.config.root_doc}.html",
        base=app.config.html_baseurl,
        description=DEFAULT,
    )
    (folder / "index.html").write_text(entrance, encoding="utf-8")


def finished(text: str) -> str:
    """Una página en español y sin los descuidos de accesibilidad del tema y las extensiones."""
    text = replaced(text, HTML | REPAIRS)
    text = SECTION.sub(r"<section\1\3>\4<h\5 id=\2", text)
    text = number_outputs(text, all_chapters(load_map()))
    text = NOTEBOOK.sub(r'href="\1.html"', CORNER.sub("<td></td>", text))
    text = VIEW.sub(lambda match: match[0] + PLACE, GOALS.sub(folded_goals, text))
    text = PREPARATION.sub(lambda match: match[1] + FOLDED.format(match[2]), text)
    text = CODE.sub(lambda match: short_code(fewer_marks(match[0])), text)
    text = SUMMARY.sub(lambda match: replaced(match[0], SPANS), styles_in_head(text))
    return SIGNATURE.sub(lambda match: replaced(match[0], LINES), text)


def fewer_marks(text: str) -> str:
    """Un código con las marcas que se ven: cada una de más es trabajo para el navegador."""
    whole = STRING.sub(lambda match: f'<span class="s2">{TAG.sub("", match[0])}</span>', text)
    return PLAIN.sub(r"\1", whole)


def short_code(text: str) -> str:
    """Un código que cabe en un trozo de hoja, con su marca: en papel no se parte."""
    short = text.count("\n") <= SHORT
    return text.replace('class="highlight"', 'class="highlight corto"') if short else text


def folded_goals(match: re.Match) -> str:
    """Los objetivos de un capítulo, en un desplegable."""
    items = match[3].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return (
        f'{match[1]}<details class="objetivos"><summary>{match[2]}</summary>'
        f"<ul>{items}</ul></details>"
    )


def styles_in_head(text: str) -> str:
    """Lleva a la cabecera los estilos que un cuestionario deja en medio de la página."""
    head, end, body = text.partition("</head>")
    # Uno de cada: dos cuestionarios de la misma página llevan el mismo.
    found = "".join(dict.fromkeys(STYLE.findall(body)))
    return head + found + end + STYLE.sub("", body)


def replaced(text: str, strings: dict[str, str]) -> str:
    """Un texto con cada cadena cambiada por la suya."""
    for old, new in strings.items():
        text = text.replace(old, new)
    return text
