"""Fórmulas compuestas al construir: la página no necesita ningún guion para mostrarlas.

Las compone KaTeX en un proceso de Node por cada uno de los que escriben páginas. Cada una lleva su
MathML, que un lector de pantalla lee en la lengua de quien escucha.
"""

import json
import os
import re
import shutil
import subprocess
from functools import cache
from html import unescape
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from course_site.node import NodeError, package, program

SCRIPT = Path(__file__).resolve().parents[1] / "nodo/formulas.mjs"
FOLDER = "_static/katex"
STYLE = f"{FOLDER}/katex.css"
QUIZ = re.compile(r'<form class="tfc-question">.*?</form>', re.DOTALL)
INLINE = re.compile(r"\\\((.+?)\\\)")
logger = logging.getLogger(__name__)


@cache
def typesetter(_writer: int) -> subprocess.Popen:
    """El que compone para un proceso, dado su número; arranca con la primera fórmula."""
    try:
        command = [program("node"), str(SCRIPT), str(package("katex") / "dist/katex.mjs")]
    except NodeError as error:
        raise ExtensionError(str(error)) from None
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )


@cache
def typeset(tex: str, display: bool) -> dict[str, str]:
    """Una fórmula compuesta, `{"html": …}`, o lo que KaTeX no entiende, `{"error": …}`."""
    process = typesetter(os.getpid())
    process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise ExtensionError("el proceso que compone las fórmulas se ha cerrado")
    return json.loads(answer)


def formula(node, tex: str, display: bool) -> str:
    """El HTML de una fórmula; si está mal escrita, un aviso que dice dónde."""
    answer = typeset(tex, display)
    if "error" in answer:
        logger.warning("fórmula mal escrita: %s", answer["error"], location=node)
    return answer.get("html", "")


def visit_inline(writer, node) -> None:
    """Fórmula dentro de una línea."""
    html = formula(node, node.astext(), display=False)
    writer.body.append(writer.starttag(node, "span", "", CLASS="math notranslate"))
    writer.body.append(f"{html}</span>")
    raise nodes.SkipNode


def visit_block(writer, node) -> None:
    """Fórmula aparte, con su número si lo tiene."""
    writer.body.append(writer.starttag(node, "div", CLASS="math notranslate"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, "Enlace a esta ecuación")
        writer.body.append("</span>")
    tex = node.astext() if node["nowrap"] else aligned(node.astext())
    writer.body.append(f"{formula(node, tex, display=True)}</div>\n")
    raise nodes.SkipNode


def aligned(text: str) -> str:
    """Una línea en blanco separa ecuaciones, y una doble barra, las líneas de una."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    lines = [rf"\begin{{split}}{p}\end{{split}}" if r"\\" in p else p for p in parts]
    if len(lines) == 1:
        return lines[0]
    return r"\begin{aligned}" + r"\\".join(lines) + r"\end{aligned}"


def typeset_quizzes(_app, _pagename, _template, context, _doctree) -> None:
    r"""Compone las fórmulas \( … \) de los cuestionarios, que llegan ya escritos en HTML."""
    if "body" in context:
        context["body"] = QUIZ.sub(
            lambda quiz: INLINE.sub(lambda match: typeset_raw(match[1]), quiz[0]), context["body"]
        )


def typeset_raw(text: str) -> str:
    """Una fórmula de un cuestionario; si está mal escrita, no hay sitio."""
    answer = typeset(unescape(text), False)
    if "error" in answer:
        raise ExtensionError(f"fórmula mal escrita en un cuestionario: {answer['error']}")
    return f'<span class="math notranslate">{answer["html"]}</span>'


def copy_style(app, failure) -> None:
    """Lleva al sitio el estilo de KaTeX y sus letras, solo en el formato que se usa."""
    if failure or app.builder.format != "html":
        return
    source, target = package("katex") / "dist", Path(app.outdir) / FOLDER
    shutil.rmtree(target, ignore_errors=True)
    (target / "fonts").mkdir(parents=True)
    for font in (source / "fonts").glob("*.woff2"):
        shutil.copy(font, target / "fonts")
    style = (source / "katex-swap.min.css").read_text(encoding="utf-8")
    style = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)', "", style)
    (Path(app.outdir) / STYLE).write_text(style, encoding="utf-8")


def setup_maths(app) -> None:
    """Da de alta el compositor con el nombre que usa `_config.yml`."""
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.connect("html-page-context", typeset_quizzes, priority=400)
    app.connect("build-finished", copy_style)
