"""Quién mira a quién: los dibujos de una fusión, hechos con sus propias máscaras."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from torch import Tensor

from tfcourse.plots import COLORS


def plot_looks(axes: Axes, mask: Bool[Tensor, "1 1 L L"], n_first: int, *, title: str = "") -> None:
    """Una máscara entre dos secuencias: filas que preguntan, columnas que contestan.

    Cada casilla toma el color de quien contesta: azul, la primera; naranja, la segunda; en blanco,
    lo que no se puede mirar. La raya separa las dos secuencias.
    """
    allowed = mask[0, 0].long()
    length = len(allowed)
    answering = torch.where(torch.arange(length) < n_first, 1, 2)
    colors = ListedColormap(["#FFFFFF", COLORS["query"], COLORS["key"]])
    axes.imshow(allowed * answering, cmap=colors, vmin=0, vmax=2, interpolation="nearest")
    axes.set(title=title, xticks=[], yticks=[])
    axes.grid(False)
    for place in range(1, length):
        style = {"color": COLORS["ink"] if place == n_first else "#FFFFFF", "linewidth": 0.6}
        axes.axvline(place - 0.5, **style)
        axes.axhline(place - 0.5, **style)
    for side in axes.spines.values():
        side.set_visible(True)


def reachable(masks: Sequence[Bool[Tensor, "1 1 L L"]]) -> Bool[Tensor, "1 1 L L"]:
    """De qué tokens de entrada puede llevar algo cada token después de todas las capas.

    Cada uno conserva siempre lo suyo, por el camino residual.
    """
    length = masks[0].shape[-1]
    total = torch.eye(length)
    for mask in masks:
        total = (mask[0, 0].float() + torch.eye(length)) @ total
    return (total > 0)[None, None]
