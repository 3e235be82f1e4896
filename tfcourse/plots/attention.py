"""Dibujos de quién mira a quién: palabras sombreadas y hilos entre dos filas de símbolos."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from tfcourse.plots.style import ATTENTION_CMAP, COLORS, show_token, spanish_number

MIN_WEIGHT = 0.02  # un hilo más fino que esto no se ve


def plot_shaded_text(
    axes: Axes,
    sentences: Sequence[Sequence[str]],
    word_weights,
    sentence_weights,
    *,
    columns: int = 44,
) -> None:
    """Texto sombreado: cada palabra, según su peso en la oración; delante, el de la oración.

    Errores: `ValueError` si no hay un peso por palabra y por oración.
    """
    if len(sentences) != len(word_weights) or len(sentences) != len(sentence_weights):
        raise ValueError(
            f"hay {len(sentences)} oraciones, {len(word_weights)} filas de pesos y "
            f"{len(sentence_weights)} pesos de oración: debe haber tantos de unos como de otros"
        )
    line = 0
    for words, weights, share in zip(sentences, word_weights, sentence_weights, strict=True):
        strong = float(share) > 1 / len(sentences)
        axes.text(
            0, -line, spanish_number(float(share)), family="monospace", fontsize=9, va="center",
            weight="bold" if strong else "normal", color=COLORS["ink"],
        )  # fmt: skip
        column, top = 6, max(map(float, weights[: len(words)]))
        for word, weight in zip(words, weights, strict=False):
            if column + len(word) > columns:
                column, line = 6, line + 1
            shade = 0.65 * float(weight) / top if top else 0.0
            axes.text(
                column, -line, word, family="monospace", fontsize=9, va="center",
                color=COLORS["ink"],
                bbox={"boxstyle": "square,pad=0.12", "color": ATTENTION_CMAP(shade)},
            )  # fmt: skip
            column += len(word) + 1
        line += 1.35
    axes.set(xlim=(0, columns), ylim=(-line + 0.4, 0.8))
    axes.axis("off")


def plot_links(
    axes: Axes,
    weights,
    bottom: Sequence[str],
    top: Sequence[str],
    *,
    title: str = "",
    colors: tuple[str, str] = ("key", "query"),
) -> None:
    """Hilos entre dos filas: los de arriba miran a los de abajo; el grosor es el peso.

    Un peso negativo se dibuja a trazos. Errores: `ValueError` si los pesos no tienen una fila por
    símbolo de arriba y una columna por símbolo de abajo.
    """
    weights = np.asarray(weights)
    if weights.shape != (len(top), len(bottom)):
        raise ValueError(
            f"los pesos tienen forma {weights.shape} y se esperaba ({len(top)}, {len(bottom)}): "
            "una fila por símbolo de arriba y una columna por símbolo de abajo"
        )
    width = max(len(bottom), len(top)) - 1 or 1
    places = [[width * (i + 0.5) / len(row) for i in range(len(row))] for row in (bottom, top)]
    for t, i in zip(*np.nonzero(np.abs(weights) > MIN_WEIGHT), strict=True):
        axes.plot(
            (places[0][i], places[1][t]), (0, 1), zorder=1, alpha=0.8, color=COLORS["value"],
            linewidth=4 * min(1.0, abs(weights[t, i])),
            linestyle="-" if weights[t, i] > 0 else "--",
        )  # fmt: skip
    for y, row, xs, role in zip((0, 1), (bottom, top), places, colors, strict=True):
        for x, label in zip(xs, row, strict=True):
            axes.text(
                x, y, show_token(label), ha="center", va="center", color="white", zorder=3,
                fontsize=8, bbox={"boxstyle": "round,pad=0.25", "color": COLORS[role]},
            )  # fmt: skip
    axes.set(title=title, xlim=(-0.4, width + 0.4), ylim=(-0.3, 1.3))
    axes.axis("off")
