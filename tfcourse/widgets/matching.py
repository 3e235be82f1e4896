"""Figura interactiva del emparejamiento: se arrastran las cajas y cambian costes y parejas."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import traitlets

from tfcourse.widgets.base import CourseWidget, module_source, style_source

MAX_BOXES = 6  # el navegador prueba todas las maneras: con más, serían demasiadas


@dataclass(frozen=True)
class MatchingBox:
    """Una caja de la figura: su nombre y (cx, cy, w, h), entre 0 y 1."""

    name: str
    box: Sequence[float]


class MatchingWidget(CourseWidget):
    """Figura del emparejamiento húngaro: costes y parejas, mientras se mueven las cajas predichas.

    Args:
        things: los objetos que hay, de uno a `MAX_BOXES`.
        predictions: lo que se ha predicho, al menos tantas cajas como objetos.
        probabilities: probabilidad que cada predicción (fila) da a la clase de cada objeto
            (columna).
        weights: cuánto pesan en el coste la clase, la distancia L1 y la GIoU.

    Raises:
        ValueError: si no hay tantas predicciones como objetos, si sobran cajas o si las
            probabilidades no son de ese tamaño.
    """

    _esm = module_source("drawing.js", "matching_costs.js", "matching.js")
    _css = style_source("drawing.css", "matching.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        things: Sequence[MatchingBox],
        predictions: Sequence[MatchingBox],
        probabilities: Sequence[Sequence[float]],
        weights: Sequence[float] = (1.0, 5.0, 2.0),
    ):
        if not 1 <= len(things) <= len(predictions) <= MAX_BOXES:
            raise ValueError(
                f"hay {len(things)} objetos y {len(predictions)} predicciones: hace falta al menos "
                f"un objeto, tantas predicciones como objetos y no más de {MAX_BOXES}"
            )
        shape = (len(predictions), len(things))
        if np.shape(probabilities) != shape or np.shape(weights) != (3,):
            raise ValueError(
                f"las probabilidades tienen forma {np.shape(probabilities)} y se esperaba {shape}: "
                "una fila por predicción y una columna por objeto; y los pesos son tres"
            )
        table = np.asarray(probabilities, dtype=float).tolist()
        super().__init__(
            state={
                "things": [_plain(box) for box in things],
                "predictions": [_plain(box) for box in predictions],
                "probabilities": table,
                "weights": [float(weight) for weight in weights],
            }
        )

    def summary(self) -> str:
        """Cuántas cajas hay."""
        things, predictions = len(self.state["things"]), len(self.state["predictions"])
        return f"{things} objetos, {predictions} predicciones"


def _plain(box: MatchingBox) -> dict:
    return asdict(box) | {"box": [float(x) for x in box.box]}
