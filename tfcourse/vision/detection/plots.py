"""Dibujos de un detector: escenas con sus cajas, y a qué mira cada consulta."""

from collections.abc import Sequence

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from tfcourse.plots import COLORS, spanish_number

# La mirada se pinta encima de la imagen: transparente donde no mira.
LOOK_CMAP = LinearSegmentedColormap.from_list("mirada", [(1, 1, 1, 0), (1, 1, 1, 0.9)])
_POINTS = 8.5  # letra de los letreros
_EDGE = 1.1  # puntos que asoma su borde
_OUTLINE = [patheffects.withStroke(linewidth=2 * _EDGE, foreground="black")]


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
    sides = np.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, 2:]], axis=1) * size
    sides[:, :2] -= 0.5  # el centro del primer píxel es el cero
    for x, y, width, height in sides:
        for thick, edge in ((2.6, "black"), (1.4, color or "white")):  # se ven en cualquier fondo
            style = {"linestyle": (0, (3, 2)) if dashed else "solid"}
            axes.add_patch(
                Rectangle((x, y), width, height, fill=False, lw=thick, edgecolor=edge, **style)
            )
    if any(labels):
        # Lo que ocupa una letra depende de lo que midan los ejes, que se decide al dibujar.
        axes.figure.draw_without_rendering()
    for box, label in zip(sides, labels, strict=True):
        if label:
            _write(axes, label, box)


def _write(axes: Axes, label: str, box: np.ndarray) -> None:
    """Escribe un letrero junto a su caja `(x, y, ancho, alto)`, donde no pise a otro ni se salga.

    De los sitios en que cabe, el primero; si no cabe en ninguno, el que menos estorba.
    """
    taken = [_extent(text) for text in axes.texts]
    picture = axes.get_window_extent()
    text = axes.text(0, 0, label, color="white", fontsize=_POINTS, path_effects=_OUTLINE)
    text.set_verticalalignment("bottom")
    bounds = _extent(text).transformed(axes.transData.inverted())
    wide, tall = abs(bounds.width), abs(bounds.height)

    def trouble(place: tuple[float, float]) -> float:
        """Lo que pisa de otros letreros y lo que se sale de la imagen, en píxeles cuadrados."""
        text.set_position(place)
        mine = _extent(text)
        inside = Bbox.intersection(mine, picture)
        over = [shared for one in taken if (shared := Bbox.intersection(mine, one))]
        return (
            sum(shared.width * shared.height for shared in over)
            + mine.width * mine.height
            - (inside.width * inside.height if inside else 0.0)
        )

    x, y, width, height = box
    last = axes.get_xlim()[1] - wide  # más a la derecha, se saldría
    columns = [max(0.0, min(start, last)) for start in (x, x + width - wide)]
    rows = [y - 0.5, y + height + tall, y + height - 0.5, y + tall + 0.5, y - tall - 0.5]
    text.set_position(min(((c, r) for r in rows for c in columns), key=trouble))


def _extent(text: Text) -> Bbox:
    """Lo que ocupa un letrero en la figura, con su borde, en píxeles."""
    return text.get_window_extent().padded(_EDGE * text.figure.dpi / 72)


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
