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
# Las dos letras de casi toda fórmula, y el texto que dice que la página las usa.
LETTERS = {
    f"{FOLDER}/fonts/KaTeX_Main-Regular.woff2": 'class="katex-html',
    f"{FOLDER}/fonts/KaTeX_Math-Italic.woff2": "mathnormal",
}
QUIZ = re.compile(r'<form class="tfc-question">.*?</form>', re.DOTALL)
INLINE = re.compile(r"\\\((.+?)\\\)")
# Lo que no empieza un renglón tras una fórmula, ni lo acaba ante ella.
CLOSING, OPENING = re.compile(r"[.,;:)\]»%!?…]+"), re.compile(r"[(\[«¿¡]+$")
BREAK = r"\allowbreak "
WIDE = {r"\quad", r"\qquad"}
# Una orden, con el nombre del entorno que abre o cierra, un cambio de renglón o un signo.
PIECE = re.compile(r"\\(?:begin|end)\{[a-z*]+\}|\\[a-zA-Z]+|\\\\(?:\[[^\]]*\])?|\\.|.", re.DOTALL)
NEW_LINE = re.compile(r"\\\\(?:\[[^\]]*\])?")
ALIGNED = re.compile(r"\\begin\{(split|aligned|gathered)\}(.*)\\end\{\1\}", re.DOTALL)
COLUMN = "\0"  # donde empieza otra columna
LONG = 28  # signos de un renglón que quizá no caben en un móvil
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
    writer.body.append(f"{block(node, tex)}</div>\n")
    raise nodes.SkipNode


def block(node, tex: str) -> str:
    """Una fórmula aparte; si son renglones largos, también uno a uno, para un móvil."""
    whole = formula(node, breakable(tex), display=True).replace(BREAK, "")
    lines = [formula(node, breakable(line), display=True).replace(BREAK, "") for line in rows(tex)]
    if max((letters(line) for line in lines), default=0) < LONG:
        return whole
    return f'<div class="en-ancho">{whole}</div><div class="por-renglones">{"".join(lines)}</div>'


def aligned(text: str) -> str:
    """Una línea en blanco separa ecuaciones, y una doble barra, las líneas de una."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    lines = [rf"\begin{{split}}{p}\end{{split}}" if r"\\" in p else p for p in parts]
    if len(lines) == 1:
        return lines[0]
    return r"\begin{aligned}" + r"\\".join(lines) + r"\end{aligned}"


def at_depth_zero(tex: str) -> list[tuple[str, bool]]:
    """Las piezas de una fórmula, y si cada una está fuera de llaves y de entornos."""
    found, depth = [], 0
    for piece in PIECE.findall(tex):
        if piece == "{" or piece.startswith(r"\begin"):
            depth += 1
        found.append((piece, depth == 0))
        if piece == "}" or piece.startswith(r"\end"):
            depth -= 1
    return found


def breakable(tex: str) -> str:
    """La fórmula, que se puede partir tras un espacio ancho."""
    pieces = at_depth_zero(tex)
    return "".join(piece + BREAK * (piece in WIDE and free) for piece, free in pieces)


def rows(tex: str) -> list[str]:
    """Los renglones de una fórmula alineada, sin alinear; ninguno, si no lo está.

    La segunda columna, que suele comentar la primera, va tras un espacio ancho.
    """
    inside = tex.strip()
    while match := ALIGNED.fullmatch(inside):
        inside = match[2].strip()
    if inside == tex.strip():
        return []
    lines = [""]
    for piece, free in at_depth_zero(inside):
        if free and NEW_LINE.fullmatch(piece):
            lines.append("")
        else:
            lines[-1] += COLUMN if piece == "&" and free else piece
    apart = (
        re.sub(rf"{COLUMN}(?:\s*{COLUMN})*", r"\\quad ", line.replace(COLUMN, "", 1))
        for line in lines
    )
    return [line.strip() for line in apart if line.strip()]


def letters(html: str) -> int:
    """Cuántos signos se ven en una fórmula compuesta, más o menos."""
    return len(re.sub(r"<[^>]+>|\s", "", html.partition('class="katex-html"')[2]))


def keep_together(_app, doctree, _docname) -> None:
    """Junta cada fórmula con el signo que la sigue y con el que la abre: no van en otro renglón."""
    for math in list(doctree.findall(nodes.math)):
        parent, place = math.parent, math.parent.index(math)
        before = parent[place - 1] if place else None
        after = parent[place + 1] if place + 1 < len(parent) else None
        opening = OPENING.search(before) if isinstance(before, nodes.Text) else None
        closing = CLOSING.match(after) if isinstance(after, nodes.Text) else None
        if not opening and not closing:
            continue
        joined = nodes.inline(classes=["junto"])
        if opening:
            parent.replace(before, nodes.Text(before[: opening.start()]))
            joined += nodes.Text(opening[0])
        if closing:
            parent.replace(after, nodes.Text(after[closing.end() :]))
        parent.replace(math, joined)
        joined += math
        if closing:
            joined += nodes.Text(closing[0])


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
    app.connect("doctree-resolved", keep_together, priority=900)
    app.connect("html-page-context", typeset_quizzes, priority=400)
    app.connect("build-finished", copy_style)
