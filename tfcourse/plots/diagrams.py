"""Esquemas de redes: nodos con letrero y flechas entre ellos, con el aspecto del curso."""

from collections.abc import Iterable, Mapping

from matplotlib.axes import Axes

from tfcourse.plots.style import COLORS

Point = tuple[float, float]


def draw_node(axes: Axes, at: Point, label: str, color: str, *, size: float = 10) -> None:
    """Un nodo: un letrero blanco en una caja de color."""
    box = {"boxstyle": "round,pad=0.35", "facecolor": color, "edgecolor": "none"}
    axes.text(
        *at, label, ha="center", va="center", color="white", fontsize=size, bbox=box, zorder=3
    )


def draw_arrow(
    axes: Axes, start: Point, end: Point, *, color: str = COLORS["grey"], bend: float = 0.0
) -> None:
    """Una flecha de un nodo a otro, que se detiene antes de pisarlos; `bend` la curva."""
    style = {
        "arrowstyle": "-|>",
        "color": color,
        "shrinkA": 13,
        "shrinkB": 13,
        "linewidth": 1.4,
        "connectionstyle": f"arc3,rad={bend}",
    }
    axes.annotate("", xy=end, xytext=start, arrowprops=style, zorder=1)


def draw_flow(
    axes: Axes,
    nodes: Mapping[str, tuple[float, float, str]],
    arrows: Iterable[tuple[str, str]],
    *,
    size: float = 9,
) -> None:
    """Un esquema por el que pasan los datos: letreros en su sitio y flechas de unos a otros.

    `nodes` da, de cada letrero, su lugar y su color, por su nombre en `COLORS`.
    Errores: `KeyError` si una flecha nombra un letrero que no está.
    """
    drawn = {}
    for label, (x, y, color) in nodes.items():
        draw_node(axes, (x, y), label, COLORS[color], size=size)
        drawn[label] = axes.texts[-1].get_bbox_patch()
    for start, end in arrows:
        style = {
            "arrowstyle": "-|>", "color": COLORS["grey"], "linewidth": 1.4, "shrinkA": 1,
            "shrinkB": 1, "patchA": drawn[start], "patchB": drawn[end],
        }  # fmt: skip
        axes.annotate("", xy=nodes[end][:2], xytext=nodes[start][:2], arrowprops=style, zorder=1)


def blank_axes(axes: Axes, title: str, *, x: Point, y: Point) -> None:
    """Deja los ejes sin marcas ni bordes, con un título y unos límites."""
    axes.set(title=title, xlim=x, ylim=y)
    axes.axis("off")
