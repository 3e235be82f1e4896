"""Cómo crece un coste con el tamaño: el exponente de una potencia, ajustado."""

from collections.abc import Sequence

import numpy as np


def fitted_exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """El exponente p con el que el coste crece como el tamaño elevado a p.

    Es la pendiente de la recta que mejor pasa por los logaritmos.
    Errores: `ValueError` si no hay dos parejas o si algún número no es positivo.
    """
    if len(sizes) != len(costs) or len(sizes) < 2 or min(*sizes, *costs) <= 0:
        raise ValueError(
            f"hay {len(sizes)} tamaños y {len(costs)} costes: hacen falta tantos unos como otros, "
            "dos o más, y todos positivos"
        )
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])
