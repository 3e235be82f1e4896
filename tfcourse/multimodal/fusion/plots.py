"""Quién mira a quién: los dibujos de una fusión, hechos con sus propias máscaras."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from torch import Tensor

from tfcourse.models.fusion import Variant
from tfcourse.plots import COLORS
from tfcourse.plots.diagrams import blank_axes, draw_arrow, draw_node


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


def plot_flow(axes: Axes, variant: Variant, *, title: str = "") -> None:
    """El esquema de una variante, de abajo arriba: las entradas, las dos etapas y los canales.

    Un nodo en el medio es un Transformer para las dos; dos nodos son dos, y las flechas que se
    cruzan, las claves y los valores que vienen de la otra modalidad.
    """
    blank_axes(axes, title, x=(-0.35, 1.35), y=(-0.4, 3.4))
    before = [(0.0, 0.0), (1.0, 0.0)]
    for at, label, color in zip(before, "AB", ("query", "key"), strict=True):
        draw_node(axes, at, label, COLORS[color])
    if variant.added:
        before = _level(axes, before, [(0.5, 0.8)], "α A + β B", "grey")
    for height, look in ((1.6, variant.first), (2.8, variant.second)):
        places = [(0.5, height)] if look == "todas" else [(0.0, height), (1.0, height)]
        if look == "otra":
            for start, end in zip(before, reversed(places), strict=True):
                draw_arrow(axes, start, end, color=COLORS["accent"])
        label = "cruzado" if look == "otra" else "Tf"
        before = _level(axes, before, places, label, "accent" if look == "otra" else "value")


def _level(axes: Axes, before: list, places: list, label: str, color: str) -> list:
    """Una fila de nodos y las flechas que le llegan: a cada uno de lo suyo, o de todos a uno."""
    for place in places:
        draw_node(axes, place, label, COLORS[color], size=8)
        straight = len(before) == len(places) == 2
        for start in [p for p in before if p[0] == place[0]] if straight else before:
            draw_arrow(axes, start, place)
    return places
