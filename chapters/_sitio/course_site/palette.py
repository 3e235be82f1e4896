"""La paleta del sitio, leída de su hoja de estilo: para qué es cada color y cuánto se distingue."""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

SHEET = Path(__file__).parents[1] / "static/sitio.css"
THEMES = {"claro": "html", "oscuro": 'html[data-theme="dark"]'}
# En el orden en que se enseñan. Lo que no es letra no tiene que leerse, y su contraste no se dice.
USES = {
    "query": "la consulta, lo que pregunta; los enlaces",
    "key": "la clave, lo que responde",
    "value": "el valor, lo que se aporta",
    "accent": "lo que se señala, y el foco del teclado",
    "quinta": "la parte de audio",
    "sexta": "la parte multimodal",
    "ink": "el texto",
    "soft": "lo que acompaña: pies, notas, números",
}
VARIABLE = re.compile(r"--tfc-(\w+): (#[0-9a-f]{6});")
HEADER = "<th>Color</th><th>Para qué es</th><th>En claro</th><th>En oscuro</th>"


def palette() -> dict[str, dict[str, str]]:
    """De cada tema, sus colores por su nombre."""
    text = SHEET.read_text(encoding="utf-8")
    blocks = {
        theme: text.split(f"\n{start} {{")[1].split("}")[0] for theme, start in THEMES.items()
    }
    return {theme: dict(VARIABLE.findall(block)) for theme, block in blocks.items()}


def contrast(one: str, other: str) -> float:
    """Contraste de dos colores, de 1 a 21 (WCAG 2.2, «contrast ratio»)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: str) -> float:
    """Luminancia relativa de un color «#rrggbb», de 0 a 1 (WCAG 2.2)."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


class PaletteDirective(SphinxDirective):
    """Directiva `{paleta}`: una tabla con los colores de los dos temas."""

    def run(self):
        """Una fila por color, con su muestra y su contraste con el papel de cada tema."""
        self.env.note_dependency(str(SHEET))
        colors = palette()
        rows = "".join(
            f"<tr><th scope='row'><code>{name}</code></th><td>{escape(use)}</td>"
            + "".join(sample(colors[theme][name], colors[theme]["paper"]) for theme in THEMES)
            + "</tr>"
            for name, use in USES.items()
        )
        head = f"<thead><tr>{HEADER}</tr></thead>"
        table = f"<table class='table'>{head}<tbody>{rows}</tbody></table>"
        box = f"<div class='pst-scrollable-table-container'>{table}</div>"
        return [nodes.raw("", box, format="html")]


def sample(color: str, paper: str) -> str:
    """La muestra de un color sobre su papel, con su nombre y su contraste."""
    ratio = f"{contrast(color, paper):.1f}".replace(".", ",")
    style = f"background:{paper};color:{color}"
    return f"<td><code class='muestra' style='{style}'>{color}</code> {ratio} a 1</td>"


def setup_palette(app) -> None:
    """Registra la directiva."""
    app.add_directive("paleta", PaletteDirective)
