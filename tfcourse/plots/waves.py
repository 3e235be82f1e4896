"""Dibujos de sonido: ondas, espectros, espectrogramas y bancos de filtros."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from tfcourse.plots.style import ATTENTION_CMAP, COLORS, use_decimal_comma


def plot_wave(axes: Axes, wave, sample_rate: int, *, title: str = "", color: str = "query") -> None:
    """Una onda: presión en cada instante.

    Errores: `ValueError` si no es un solo canal.
    """
    wave = _vector(wave)
    axes.plot(np.arange(len(wave)) / sample_rate, wave, color=COLORS[color], linewidth=0.8)
    # De 0,25 en 0,25, las marcas no cabrían en el único decimal con el que se escriben.
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=(1, 2, 5, 10)))
    use_decimal_comma(axes.xaxis)
    use_decimal_comma(axes.yaxis)
    axes.set(title=title, xlabel="segundos", xlim=(0, len(wave) / sample_rate))


def plot_samples(axes: Axes, wave, sample_rate: int, *, label: str, color: str = "key") -> None:
    """Las muestras de una onda como puntos con su tallo, en milisegundos."""
    wave = _vector(wave)
    milliseconds = 1000 * np.arange(len(wave)) / sample_rate
    axes.vlines(milliseconds, 0, wave, color=COLORS[color], linewidth=1)
    axes.plot(milliseconds, wave, "o", color=COLORS[color], markersize=5, label=label)


def plot_spectrum(
    axes: Axes, frequencies, values, *, label: str = "", color: str = "query", dashed: bool = False
) -> None:
    """Un espectro: una curva sobre las frecuencias, en kilohercios."""
    style = "--" if dashed else "-"
    kilohertz = np.asarray(frequencies, dtype=float) / 1000
    axes.plot(kilohertz, np.asarray(values), style, color=COLORS[color], label=label, linewidth=1.4)
    use_decimal_comma(axes.xaxis)
    axes.set_xlabel("kilohercios")


def plot_spectrogram(
    axes: Axes,
    values,
    seconds: float,
    *,
    top: float | None = None,
    title: str = "",
    ylabel: str = "kilohercios",
    low: float | None = None,
):
    """Un espectrograma: tiempo de izquierda a derecha y frecuencia de abajo arriba.

    `values` es (frecuencias, instantes); `top`, lo que vale el borde de arriba (por omisión, el
    número de filas) y `low`, el valor que se dibuja en blanco. Devuelve la imagen, para su barra.
    Errores: `ValueError` si no tiene dos ejes.
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 2:
        raise ValueError(
            f"el espectrograma tiene forma {values.shape}: se dibuja uno solo, (frecuencias, "
            "instantes)"
        )
    extent = (0, seconds, 0, len(values) if top is None else top)
    drawn = axes.imshow(
        values, origin="lower", aspect="auto", cmap=ATTENTION_CMAP, extent=extent, vmin=low,
        interpolation="nearest",
    )  # fmt: skip
    use_decimal_comma(axes.xaxis)
    axes.grid(False)
    axes.set(title=title, xlabel="segundos", ylabel=ylabel)
    return drawn


def plot_filter_bank(axes: Axes, bank, frequencies, *, title: str = "") -> None:
    """Los triángulos de un banco de filtros, con dos colores que se alternan."""
    kilohertz = np.asarray(frequencies, dtype=float) / 1000
    for place, row in enumerate(np.asarray(bank, dtype=float)):
        color = COLORS["query" if place % 2 == 0 else "key"]
        axes.plot(kilohertz, row, "-" if place % 2 == 0 else "--", color=color, linewidth=1)
    use_decimal_comma(axes.xaxis)
    axes.set(title=title, xlabel="kilohercios", ylim=(0, None))


def mark_words(axes: Axes, words: Sequence, height: float) -> None:
    """Rayas donde empieza cada palabra, con su texto arriba; sirve con `WordTime`."""
    for word in words:
        axes.axvline(word.start, color=COLORS["accent"], linewidth=1, linestyle="--")
        axes.text(word.start, height, f" {word.text}", color=COLORS["accent"], va="top", fontsize=9)


def _vector(wave) -> np.ndarray:
    wave = np.asarray(wave, dtype=float)
    if wave.ndim != 1:
        raise ValueError(f"la onda tiene forma {wave.shape}: se dibuja un solo canal, (T,)")
    return wave
