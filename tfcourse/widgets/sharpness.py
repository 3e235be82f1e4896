"""Figura interactiva de la nitidez del softmax: tamaño, escala y temperatura."""

import numpy as np
import traitlets

from tfcourse.widgets.base import CourseWidget, module_source, style_source


class SharpnessWidget(CourseWidget):
    """Figura de la nitidez: una consulta y varias claves al azar, cada vez más largas.

    Los puntajes se sortean en Python, con componentes independientes de varianza 1; el navegador
    los divide y hace el softmax.

    Args:
        n_keys: cuántas claves se comparan.
        largest: mayor tamaño de los vectores; se prueban las potencias de dos hasta él.
        seed: semilla del sorteo.

    Raises:
        ValueError: si no hay al menos dos claves o si el tamaño mayor no llega a 8.
    """

    _esm = module_source("drawing.js", "sharpness.js")
    _css = style_source("drawing.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(self, n_keys: int = 8, largest: int = 512, seed: int = 0):
        if n_keys < 2 or largest < 8:
            raise ValueError(
                f"n_keys={n_keys} y largest={largest}: hacen falta al menos dos claves y vectores "
                "de hasta 8 componentes"
            )
        sizes = [2**power for power in range(largest.bit_length()) if 2**power <= largest]
        generator = np.random.default_rng(seed)
        query, keys = generator.normal(size=sizes[-1]), generator.normal(size=(n_keys, sizes[-1]))
        scores = [(keys[:, :size] @ query[:size]).round(3).tolist() for size in sizes]
        super().__init__(state={"sizes": sizes, "scores": scores})

    def summary(self) -> str:
        """Cuántas claves y hasta qué tamaño."""
        return f"{len(self.state['scores'][0])} claves, hasta {self.state['sizes'][-1]} componentes"
