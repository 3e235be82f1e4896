"""Dibujos de un segmentador: mapas de clases, de objetos y máscaras sueltas."""

import numpy as np
from matplotlib.axes import Axes

from tfcourse.vision.detection.plots import plot_image

# Un color por clase; el del fondo, gris oscuro.
KIND_COLORS = np.array(
    [[0.16, 0.17, 0.20], [0.90, 0.62, 0.00], [0.34, 0.71, 0.91], [0.00, 0.62, 0.45],
     [0.94, 0.89, 0.26]]
)  # fmt: skip
EDGE = np.array([1.0, 1.0, 1.0])


def plot_kinds(axes: Axes, kinds, *, title: str = "") -> None:
    """Un mapa de clases: cada punto, del color de la suya."""
    axes.imshow(KIND_COLORS[np.asarray(kinds) % len(KIND_COLORS)], interpolation="nearest")
    axes.set_title(title, fontsize=9)
    axes.axis("off")


def plot_panoptic(axes: Axes, panoptic, *, title: str = "") -> None:
    """Un mapa de clases con una línea blanca donde acaba un objeto y empieza otro."""
    panoptic = np.asarray(panoptic)
    painted = KIND_COLORS[panoptic[..., 0] % len(KIND_COLORS)].copy()
    painted[borders(panoptic[..., 1])] = EDGE
    axes.imshow(painted, interpolation="nearest")
    axes.set_title(title, fontsize=9)
    axes.axis("off")


def borders(numbers) -> np.ndarray:
    """Los puntos que tienen a la derecha o debajo otro número, y ninguno de los dos es fondo."""
    numbers = np.asarray(numbers)
    edge = np.zeros(numbers.shape, dtype=bool)
    right, below = numbers[:, 1:], numbers[1:]
    edge[:, :-1] |= (numbers[:, :-1] != right) & (numbers[:, :-1] > 0) & (right > 0)
    edge[:-1] |= (numbers[:-1] != below) & (numbers[:-1] > 0) & (below > 0)
    return edge


def plot_mask(axes: Axes, image, mask, *, title: str = "") -> None:
    """Una máscara sobre su imagen: lo de fuera se oscurece. La máscara va de 0 a 1."""
    image, mask = np.asarray(image), np.asarray(mask, dtype=float)
    plot_image(axes, image * (0.25 + 0.75 * mask), title=title)
