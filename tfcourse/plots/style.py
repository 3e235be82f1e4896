"""Figuras con un mismo aspecto en todo el curso."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import Formatter

from tfcourse.plots.numbers import spanish_number

# El color dice el papel: azul pregunta (consulta), naranja responde (clave), verde aporta (valor).
COLORS = {
    "query": "#0B6E99",
    "key": "#B5520B",
    "value": "#3B7A2A",
    "accent": "#6A3FA0",
    "ink": "#1F2933",
    "grey": "#6B7785",
}
ATTENTION_CMAP = LinearSegmentedColormap.from_list("atencion", ["#FFFFFF", "#F2B98A", "#8A3A04"])

STYLE = {
    "figure.dpi": 110,
    "figure.facecolor": "white",
    "font.size": 10,
    "text.color": COLORS["ink"],
    "axes.labelcolor": COLORS["ink"],
    "axes.edgecolor": COLORS["grey"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#E4E7EB",
    "axes.axisbelow": True,
    "lines.linewidth": 2.0,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def figure(rows: int = 1, columns: int = 1, *, width: float = 6.5, height: float = 3.2, **kwargs):
    """Figura y ejes con el estilo del curso, que queda puesto para las figuras siguientes."""
    # Con rc_context, al salir se olvidaría también que en un cuaderno las figuras salen solas.
    plt.rcParams.update(STYLE)
    return plt.subplots(rows, columns, figsize=(width, height), **kwargs)


class CommaTicks(Formatter):
    """Marcas de un eje con coma decimal, con los decimales que hagan falta para no mentir.

    Son `decimals`, o hasta `EXTRA` más si con esos se redondearía: 0,25 no se escribe 0,2, y dos
    marcas distintas no se leen igual. Cada valor se multiplica por `scale` y lleva detrás `unit`.
    """

    EXTRA = 2

    def __init__(self, decimals: int, scale: float = 1.0, unit: str = "") -> None:
        self.decimals = self.shown = decimals
        self.scale = scale
        self.unit = unit

    def format_ticks(self, values) -> list[str]:
        """Los rótulos de todas las marcas, con los mismos decimales."""
        scaled = self.scale * np.asarray(values, dtype=float)
        for shown in range(self.decimals, self.decimals + self.EXTRA + 1):
            self.shown = shown
            if np.allclose(scaled.round(shown), scaled, rtol=0, atol=1e-6):
                break
        return super().format_ticks(values)

    def __call__(self, value, pos=None) -> str:
        """El rótulo de una marca; el cero no lleva signo."""
        rounded = round(self.scale * value, self.shown)
        return spanish_number(rounded + 0.0, self.shown) + self.unit


def use_decimal_comma(axis, decimals: int = 1) -> None:
    """Escribe las marcas de un eje con coma decimal, y más decimales si hacen falta."""
    axis.set_major_formatter(CommaTicks(decimals))


def use_percent(axis) -> None:
    """Escribe las marcas de un eje, entre 0 y 1, como porcentajes."""
    axis.set_major_formatter(CommaTicks(0, scale=100, unit=" %"))


def show_token(token: str) -> str:
    """Token visible: el espacio se dibuja como «␣»."""
    return "␣" if token == " " else token


def plot_alignment(
    axes: Axes, weights, source: Sequence[str], target: Sequence[str], *, title: str = ""
) -> None:
    """Mapa de alineamiento: una fila por símbolo escrito, una columna por símbolo leído.

    Errores: `ValueError` si los pesos no tienen una fila por salida y una columna por entrada.
    """
    weights = np.asarray(weights)
    if weights.shape != (len(target), len(source)):
        raise ValueError(
            f"los pesos tienen forma {weights.shape} y se esperaba ({len(target)}, {len(source)}): "
            "una fila por símbolo de salida y una columna por símbolo de entrada"
        )
    axes.imshow(weights, cmap=ATTENTION_CMAP, vmin=0, vmax=1, aspect="auto")
    rotation = 90 if max(map(len, source)) > 1 else 0
    axes.set_xticks(range(len(source)), [show_token(t) for t in source], rotation=rotation)
    axes.set_yticks(range(len(target)), [show_token(t) for t in target])
    axes.grid(False)
    axes.tick_params(length=0)
    axes.set_xlabel("se lee (entrada)")
    axes.set_ylabel("se escribe (salida)")
    axes.set_title(title)


def plot_runs(
    axes: Axes, x: Sequence[float], runs: Mapping[str, Sequence[Sequence[float]]], colors: Mapping
) -> None:
    """Curvas de varias semillas: una línea fina por semilla y una gruesa en su media.

    `runs` asocia a cada nombre una lista de curvas, una por semilla; cada grupo lleva su marca,
    para que se distinga sin color.
    """
    for marker, (name, curves) in zip("osD^vP", runs.items(), strict=False):
        for curve in curves:
            axes.plot(x, curve, color=colors[name], alpha=0.35, linewidth=1)
        axes.plot(x, np.mean(curves, axis=0), color=colors[name], marker=marker, label=name)
    axes.legend()


def plot_text_values(axes: Axes, text: str, values, *, columns: int = 44, title: str = "") -> None:
    """Texto con un color por carácter: azul si su valor es positivo, naranja si es negativo.

    Errores: `ValueError` si no hay un valor, entre -1 y 1, por carácter.
    """
    values = np.asarray(values, dtype=float)
    if values.shape != (len(text),) or np.abs(values).max(initial=0) > 1:
        raise ValueError(
            f"hay {len(text)} caracteres y los valores tienen forma {values.shape}: hace falta "
            "uno por carácter, entre -1 y 1"
        )
    rows = -(-len(text) // columns)
    for position, (char, value) in enumerate(zip(text, values, strict=True)):
        row, column = divmod(position, columns)
        color = COLORS["query"] if value > 0 else COLORS["key"]
        axes.add_patch(
            plt.Rectangle((column, row), 1, 1, color=color, alpha=0.75 * abs(value), linewidth=0)
        )
        axes.text(
            column + 0.5, row + 0.55, char, ha="center", va="center", family="monospace", fontsize=9
        )
    axes.set(xlim=(0, columns), ylim=(rows, 0), title=title)
    axes.axis("off")
