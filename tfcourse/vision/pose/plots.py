"""Dibujos de poses: esqueletos sobre la imagen."""

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes

from tfcourse.datasets.scenes.skeleton import BONES

_OUTLINE = [patheffects.Stroke(linewidth=2.6, foreground="black"), patheffects.Normal()]
FIGURE_COLORS = ("#FFD166", "#4CC9F0", "#F28482", "#B8E986", "#E0AAFF", "#FFFFFF")


def plot_pose(
    axes: Axes, points, size: int, *, visible=None, color: str = FIGURE_COLORS[0], bones=BONES
) -> None:
    """Un esqueleto: huesos y articulaciones. Puntos `(K, 2)` entre 0 y 1.

    Las articulaciones que no se ven van huecas. Errores: `ValueError` si los puntos no son parejas.
    """
    points = np.asarray(points)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(
            f"llegaron puntos de forma {points.shape}: hacen falta (K, 2), una x y una y por "
            "articulación"
        )
    x, y = points.T * size - 0.5
    seen = np.ones(len(x), dtype=bool) if visible is None else np.asarray(visible)
    for first, last in bones:
        axes.plot(x[[first, last]], y[[first, last]], color=color, lw=1.4, path_effects=_OUTLINE)
    for some, face in ((seen, color), (~seen, "none")):
        axes.scatter(
            x[some], y[some], s=22, facecolors=face, edgecolors="black" if face == color else color,
            linewidths=0.8 if face == color else 1.6, zorder=3,
        )  # fmt: skip
