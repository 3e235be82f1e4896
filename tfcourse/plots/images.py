"""Dibujos de imágenes: una con su rejilla de parches, varias en fila, y pesos por encima."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from tfcourse.plots.style import ATTENTION_CMAP, COLORS

INK = "gray_r"
# De un lado a otro del cero: naranja si se parecen, azul si se oponen.
LIKENESS_CMAP = LinearSegmentedColormap.from_list(
    "parecido", [COLORS["query"], "#FFFFFF", COLORS["key"]]
)


def plot_image(axes: Axes, image, *, patch_size: int | None = None, title: str = "") -> None:
    """Una imagen `(C, H, W)` o `(H, W)`; con `patch_size`, cortada por líneas.

    Errores: `ValueError` si no tiene uno o tres canales.
    """
    image = np.asarray(image, dtype=float)
    if image.ndim == 3:
        if image.shape[0] not in (1, 3):
            raise ValueError(
                f"llegó una imagen de forma {image.shape}: se dibujan las de uno o tres canales, "
                "(C, alto, ancho)"
            )
        image = image[0] if image.shape[0] == 1 else image.transpose(1, 2, 0)
    axes.imshow(image, cmap=INK, vmin=0, vmax=1)
    if patch_size is not None:
        height, width = image.shape[:2]
        for row in range(0, height + 1, patch_size):
            axes.axhline(row - 0.5, color=COLORS["query"], linewidth=1)
        for column in range(0, width + 1, patch_size):
            axes.axvline(column - 0.5, color=COLORS["query"], linewidth=1)
        axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5))
    axes.set_title(title, fontsize=9)
    axes.axis("off")


def plot_images(axes, images, titles: Sequence[str] | None = None) -> None:
    """Varias imágenes, una por eje de la tabla `axes`; los que sobran quedan vacíos."""
    flat = np.ravel(axes)
    for place, panel in enumerate(flat):
        if place < len(images):
            plot_image(panel, images[place], title=titles[place] if titles else "")
        else:
            panel.axis("off")


def plot_weights_over(
    axes: Axes, image, weights, *, grid: tuple[int, int], title: str = ""
) -> None:
    """Los pesos de cada parche sobre la imagen, que queda debajo como líneas de tinta.

    `weights` tiene uno por parche, por filas; el menor queda en blanco y el mayor, oscuro.
    Errores: `ValueError` si no hay un peso por parche.
    """
    weights = np.asarray(weights, dtype=float)
    if weights.size != grid[0] * grid[1]:
        raise ValueError(
            f"llegaron {weights.size} pesos y la rejilla {grid[0]} × {grid[1]} tiene "
            f"{grid[0] * grid[1]} parches: quita el del token de clase"
        )
    image = np.asarray(image, dtype=float).squeeze()
    height, width = image.shape
    extent = (-0.5, width - 0.5, height - 0.5, -0.5)
    spread = max(weights.max() - weights.min(), 1e-9)
    shades = (weights.reshape(grid) - weights.min()) / spread
    axes.imshow(shades, cmap=ATTENTION_CMAP, vmin=0, vmax=1, extent=extent)
    axes.imshow(image, cmap=INK, vmin=0, vmax=1, alpha=0.35 * image)
    axes.set_title(title, fontsize=9)
    axes.axis("off")


def plot_likeness_maps(axes, table, grid: tuple[int, int]) -> None:
    """Parecido de cada posición con todas: un mapa por parche, puesto en el sitio de su parche.

    `table` tiene una fila por parche; el parecido es el coseno, tras quitar la media de todas.
    Errores: `ValueError` si no hay un eje y una fila por parche.
    """
    table, panels = np.asarray(table, dtype=float), np.ravel(axes)
    if not len(table) == len(panels) == grid[0] * grid[1]:
        raise ValueError(
            f"hay {len(table)} posiciones, {len(panels)} ejes y {grid[0]} × {grid[1]} parches: "
            "hace falta uno de cada"
        )
    centered = table - table.mean(axis=0)
    unit = centered / np.linalg.norm(centered, axis=1, keepdims=True)
    for place, panel in enumerate(panels):
        likeness = (unit @ unit[place]).reshape(grid)
        panel.imshow(likeness, cmap=LIKENESS_CMAP, vmin=-1, vmax=1)
        row, column = divmod(place, grid[1])
        panel.plot(column, row, marker="o", color=COLORS["ink"], markersize=3)
        panel.set_xticks([])
        panel.set_yticks([])
        panel.grid(False)
