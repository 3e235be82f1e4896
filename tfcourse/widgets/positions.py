"""Figura interactiva de las posiciones sinusoidales."""

import traitlets

from tfcourse.widgets.base import CourseWidget, module_source, style_source


class PositionsWidget(CourseWidget):
    """Figura de posiciones: el vector de cada sitio, su parecido con los demás y sus ondas.

    El navegador calcula los senos y cosenos, con la misma fórmula que `sinusoidal_positions`.

    Args:
        length: cuántas posiciones se dibujan.
        size: cuántas componentes tiene cada vector; par.

    Raises:
        ValueError: si hay menos de dos posiciones o el tamaño no es par y positivo.
    """

    _esm = module_source("drawing.js", "positions.js")
    _css = style_source("drawing.css", "positions.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(self, length: int = 48, size: int = 32):
        if length < 2 or size < 2 or size % 2:
            raise ValueError(
                f"length={length} y size={size}: hacen falta dos posiciones, por lo menos, y un "
                "número par de componentes"
            )
        super().__init__(state={"length": length, "size": size})

    def summary(self) -> str:
        """Cuántas posiciones y componentes."""
        return f"{self.state['length']} posiciones de {self.state['size']} componentes"
