"""Figuras con un mismo aspecto en todo el curso."""

import matplotlib.pyplot as plt  # noqa: F401  los cuadernos escriben plots.plt

from tfcourse.plots.numbers import (
    listed,
    percent,
    percent_spread,
    power_of_ten,
    spanish_number,
    ten_to,
)
from tfcourse.plots.style import (
    ATTENTION_CMAP,
    COLORS,
    STYLE,
    figure,
    plot_alignment,
    plot_runs,
    plot_text_values,
    show_token,
    use_decimal_comma,
    use_percent,
)

__all__ = [
    "ATTENTION_CMAP",
    "COLORS",
    "figure",
    "listed",
    "percent",
    "percent_spread",
    "plot_alignment",
    "plot_runs",
    "plot_text_values",
    "power_of_ten",
    "show_token",
    "spanish_number",
    "STYLE",
    "ten_to",
    "use_decimal_comma",
    "use_percent",
]
