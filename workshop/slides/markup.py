"""De lo que se escribe en un título o en una pregunta a HTML: énfasis, código y fórmulas cortas."""

import html
import re

# Las pocas órdenes que salen en un título o en una pregunta; una que falte es un error.
_SYMBOLS = {
    r"\rho": "ρ",
    r"\tau": "τ",
    r"\theta": "θ",
    r"\sigma": "σ",
    r"\cdot": "·",
    r"\times": "×",
    r"\approx": "≈",
    r"\top": "⊤",
    r"\ln ": "ln ",
    "{,}": ",",
    "-": "−",
}
_MATHS = re.compile(r"\$(?P<dollars>[^$]+)\$|\\\((?P<parens>.+?)\\\)")
_MARKS = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])\*([^*]+)\*(?![\w*])"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\([^)\s]+\)"), r"\1"),
    (re.compile(r"\s*\{cite:?\w*\}(?:<code>[^<]+</code>|`[^`]+`)"), ""),
)
_SCRIPTS = (
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"√\1"),
    (re.compile(r"_\{([^{}]*)\}"), r"<sub>\1</sub>"),
    (re.compile(r"\^\{([^{}]*)\}"), r"<sup>\1</sup>"),
    (re.compile(r"_(\w)"), r"<sub>\1</sub>"),
    (re.compile(r"\^([\w⊤])"), r"<sup>\1</sup>"),
)


def inline(text: str) -> str:
    """Una línea en HTML. Errores: `ValueError` si trae una orden de fórmula que no se sabe."""
    parts, last = [], 0
    for found in _MATHS.finditer(text):
        parts += [_words(text[last : found.start()]), _maths(found["dollars"] or found["parens"])]
        last = found.end()
    return "".join([*parts, _words(text[last:])])


def _words(text: str) -> str:
    text = html.escape(text, quote=False)
    for pattern, mark in _MARKS:
        text = pattern.sub(mark, text)
    return text


def _maths(formula: str) -> str:
    """Una fórmula de una línea, con subíndices y superíndices de HTML."""
    told = html.escape(formula, quote=False)
    for order, symbol in _SYMBOLS.items():
        told = told.replace(order, symbol)
    for pattern, mark in _SCRIPTS:
        told = pattern.sub(mark, told)
    if "\\" in told:
        raise ValueError(f"no sé escribir en una diapositiva la fórmula «{formula}»")
    return f'<span class="formula">{told}</span>'
