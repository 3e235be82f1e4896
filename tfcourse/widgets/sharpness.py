"""Figura interactiva de la nitidez del softmax: tamaño, escala, temperatura y gradiente."""

import numpy as np
import traitlets

from tfcourse.widgets.base import CourseWidget, module_source, style_source


class SharpnessWidget(CourseWidget):
    """Figura de la nitidez: varias consultas al azar, cada una con sus claves, cada vez más largas.

    Los puntajes se sortean en Python, con componentes independientes de varianza 1; el navegador
    los divide, hace el softmax y calcula el gradiente que le llega a cada consulta, para lo que le
    bastan los productos de unas claves con otras.

    Args:
        n_keys: cuántas claves se comparan.
        largest: mayor tamaño de los vectores; se prueban las potencias de dos hasta él.
        n_queries: cuántas consultas se sortean.
        seed: semilla del sorteo.

    Raises:
        ValueError: si no hay al menos dos claves y una consulta, o si el tamaño mayor no llega a 8.
    """

    _esm = module_source("drawing.js", "sharpness.js")
    _css = style_source("drawing.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(self, n_keys: int = 8, largest: int = 512, n_queries: int = 12, seed: int = 0):
        if n_keys < 2 or largest < 8 or n_queries < 1:
            raise ValueError(
                f"n_keys={n_keys}, largest={largest} y n_queries={n_queries}: hacen falta al menos "
                "dos claves, vectores de hasta 8 componentes y una consulta"
            )
        sizes = [2**power for power in range(largest.bit_length()) if 2**power <= largest]
        generator = np.random.default_rng(seed)
        draws = []
        for _ in range(n_queries):
            query, keys = generator.normal(size=largest), generator.normal(size=(n_keys, largest))
            draws.append([_products(query[:size], keys[:, :size]) for size in sizes])
        super().__init__(state={"sizes": sizes, "draws": draws})

    def summary(self) -> str:
        """Cuántas consultas y claves, y hasta qué tamaño."""
        draws, sizes = self.state["draws"], self.state["sizes"]
        n_keys = len(draws[0][0]["scores"])
        return f"{len(draws)} consultas, {n_keys} claves, hasta {sizes[-1]} componentes"


def _products(query: np.ndarray, keys: np.ndarray) -> dict:
    """Puntajes de una consulta, y productos escalares entre sus claves."""
    return {"scores": (keys @ query).round(3).tolist(), "keys": (keys @ keys.T).round(2).tolist()}
