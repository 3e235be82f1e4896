"""Figura interactiva de la suma ponderada: se arrastra la consulta y cambia el resultado."""

from collections.abc import Sequence

import numpy as np
import traitlets

from tfcourse.widgets.base import CourseWidget, module_source, style_source


class WeightedSumWidget(CourseWidget):
    """Figura de la suma ponderada: qué pesos da una consulta y qué media de los valores resulta.

    Los vectores son del plano, para que se vean. El navegador hace la cuenta,
    softmax(q·k/√2), cada vez que la consulta se mueve.

    Args:
        keys: claves, (n, 2).
        values: valores, (n, 2), uno por clave.
        names: nombre corto de cada clave.
        query: dónde empieza la consulta.

    Raises:
        ValueError: si no hay tantos valores y nombres como claves, o no son del plano.
    """

    _esm = module_source("drawing.js", "weighted_sum.js")
    _css = style_source("drawing.css", "weighted_sum.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        keys: Sequence[Sequence[float]],
        values: Sequence[Sequence[float]],
        names: Sequence[str],
        query: Sequence[float] = (1.0, 0.5),
    ):
        shapes = {name: np.shape(x) for name, x in {"keys": keys, "values": values}.items()}
        if shapes != dict.fromkeys(shapes, (len(names), 2)) or np.shape(query) != (2,):
            raise ValueError(
                f"llegaron {shapes}, {len(names)} nombres y una consulta {np.shape(query)}: cada "
                "clave lleva un valor y un nombre, y todos los vectores son del plano"
            )
        vectors = {"keys": keys, "values": values, "query": query}
        state = {name: np.asarray(x, dtype=float).tolist() for name, x in vectors.items()}
        super().__init__(state=state | {"names": list(names)})

    def summary(self) -> str:
        """Cuántas claves hay."""
        return f"{len(self.state['names'])} claves"
