"""Figura interactiva de las fusiones de BPE, una a una, con el texto que se escriba."""

import traitlets

from tfcourse.widgets.base import CourseWidget, module_source, style_source


class MergesWidget(CourseWidget):
    """Figura de fusiones: aprende BPE paso a paso, y se puede deshacer.

    El navegador cuenta los pares y los fusiona; en caso de empate gana el primero por orden
    alfabético.

    Args:
        text: texto del que se aprende al abrir; quien lee puede escribir otro.

    Raises:
        ValueError: si el texto no tiene ninguna palabra.
    """

    _esm = module_source("drawing.js", "merges.js")
    _css = style_source("drawing.css", "pieces.css", "merges.css")

    text = traitlets.Unicode().tag(sync=True)

    def __init__(self, text: str):
        if not any(character.isalnum() for character in text):
            raise ValueError(f"text={text!r}: hace falta alguna palabra de la que aprender")
        super().__init__(text=text)

    def summary(self) -> str:
        """Cuántas palabras lleva el texto de partida."""
        return f"{len(self.text.split())} palabras"
