"""Dibujos de un detector: escenas con sus cajas, y a qué mira cada consulta."""

from collections.abc import Sequence

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox

from tfcourse.plots import COLORS, spanish_number

# La mirada se pinta encima de la imagen: transparente donde no mira.
LOOK_CMAP = LinearSegmentedColormap.from_list("mirada", [(1, 1, 1, 0), (1, 1, 1, 0.9)])
_POINTS = 8.5  # letra de los letreros
_OUTLINE = [patheffects.withStroke(linewidth=2.2, foreground="black")]


def plot_image(axes: Axes, image, *, title: str = "") -> None:
    """Una imagen `(3, S, S)` sin ejes."""
    axes.imshow(np.asarray(image).transpose(1, 2, 0), interpolation="nearest")
    axes.set_title(title, fontsize=9)
    axes.axis("off")


def plot_boxes(
    axes: Axes,
    boxes,
    labels: Sequence[str],
    size: int,
    *,
    color: str = COLORS["value"],
    dashed: bool = False,
) -> None:
    """Cajas (cx, cy, w, h), en partes de la imagen, con su letrero encima.

    Errores: `ValueError` si no hay un letrero por caja.
    """
    boxes = np.asarray(boxes).reshape(-1, 4)
    if len(boxes) != len(labels):
        raise ValueError(
            f"hay {len(boxes)} cajas y {len(labels)} letreros: hace falta uno por caja, aunque sea "
            "vacío"
        )
    for (cx, cy, w, h), label in zip(boxes * size - 0.5 * np.array([1, 1, 0, 0]), labels,
                                     strict=True):  # fmt: skip
        corner = (cx - w / 2, cy - h / 2)
        for width, edge in ((2.6, "black"), (1.4, "white")):  # se ven sobre cualquier fondo
            style = {"linestyle": (0, (3, 2)) if dashed else "solid"}
            edge = color if width < 2 and color else edge
            axes.add_patch(Rectangle(corner, w, h, fill=False, lw=width, edgecolor=edge, **style))
        x, y = _free_place(axes, label, corner, h, size)
        axes.text(x, y, label, color="white", fontsize=_POINTS, va="bottom", path_effects=_OUTLINE)


def _free_place(
    axes: Axes, label: str, corner: tuple[float, float], height: float, size: int
) -> tuple[float, float]:
    """Dónde cabe un letrero sin pisar a otro: encima de su caja o, si no, debajo o dentro."""
    unit = size * axes.figure.dpi / 72 / axes.get_window_extent().width  # píxeles en un punto
    tall = 1.2 * _POINTS * unit

    def bounds(text: str, x: float, y: float) -> Bbox:
        return Bbox.from_extents(x, y - tall, x + 0.55 * _POINTS * unit * len(text), y)

    taken = [bounds(one.get_text(), *one.get_position()) for one in axes.texts if one.get_text()]
    top, bottom = max(corner[1] - 1, 2.5), corner[1] + height
    places = [(corner[0], y) for y in (top, bottom + tall + 0.5, bottom - 0.5, top + tall + 1)]
    free = [
        place
        for place in places
        if place[1] <= size and not any(bounds(label, *place).overlaps(box) for box in taken)
    ]
    return (free or places)[0]


def plot_found(axes: Axes, image, boxes, names: Sequence[str], scores, threshold: float) -> None:
    """Una imagen con las detecciones que pasan de `threshold` de confianza."""
    plot_image(axes, image)
    kept = [i for i, score in enumerate(scores) if float(score) >= threshold]
    labels = [f"{names[i]} {spanish_number(float(scores[i]))}" for i in kept]
    plot_boxes(axes, np.asarray(boxes)[kept], labels, np.asarray(image).shape[-1], color="#FFD166")


def plot_look(axes: Axes, image, weights, box, *, title: str = "") -> None:
    """A qué casillas mira una consulta, pintado sobre la imagen, y la caja que responde.

    `weights` tiene un número por casilla, por filas, y se reparte con la forma de la imagen.
    """
    plot_image(axes, np.asarray(image) * 0.55, title=title)
    height, width = np.asarray(image).shape[-2:]
    rows = round((len(weights) * height / width) ** 0.5)
    cells = np.asarray(weights).reshape(rows, -1)
    axes.imshow(
        cells / cells.max(), cmap=LOOK_CMAP, vmin=0, vmax=1, interpolation="bilinear",
        extent=(-0.5, width - 0.5, height - 0.5, -0.5),
    )  # fmt: skip
    plot_boxes(axes, [box], [""], width, color="#FFD166")
