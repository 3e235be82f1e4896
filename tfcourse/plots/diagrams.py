"""Esquemas de redes: nodos con letrero y flechas entre ellos, con el aspecto del curso."""

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


def blank_axes(axes: Axes, title: str, *, x: Point, y: Point) -> None:
    """Deja los ejes sin marcas ni bordes, con un título y unos límites."""
    axes.set(title=title, xlim=x, ylim=y)
    axes.axis("off")
