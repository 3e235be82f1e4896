"""Números como se leen en español: coma decimal, y espacio fino desde las cinco cifras."""

from collections.abc import Iterable, Sequence
from typing import SupportsFloat

import numpy as np

THIN_SPACE = "\u202f"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def spanish_number(value: SupportsFloat, decimals: int = 2) -> str:
    """Número con coma decimal: 0,25; desde cinco cifras enteras, con espacio fino: 12\u202f345.

    El cero no lleva signo, aunque salga de redondear un negativo.
    Fuente: RAE y ASALE (2010), «Ortografía de la lengua española», cap. VIII.
    """
    whole, _, tenths = f"{float(value):z,.{decimals}f}".partition(".")
    thousands = THIN_SPACE if len(whole.lstrip("-").replace(",", "")) > 4 else ""
    return whole.replace(",", thousands) + ("," + tenths if tenths else "")


def percent(share: SupportsFloat, decimals: int = 0) -> str:
    """Una parte de uno, en tanto por ciento: 0,125 → 12,5 %."""
    return f"{spanish_number(100 * float(share), decimals)} %"


def ten_to(power: int) -> str:
    """Una potencia de diez: −9 → 10⁻⁹."""
    return f"10{str(int(power)).translate(SUPERSCRIPTS)}"


def power_of_ten(value: SupportsFloat, decimals: int = 0) -> str:
    """Número por una potencia de diez, para los muy grandes o muy pequeños: 2 · 10⁻²⁰."""
    figures, power = f"{float(value):.{decimals}e}".split("e")
    return f"{figures.replace('.', ',')} · {ten_to(int(power))}"


def percent_spread(shares: Sequence[SupportsFloat], decimals: int = 0) -> str:
    """Media y, entre paréntesis, la menor y la mayor de unas partes de uno: 83 % (80–85)."""
    low, mean, high = (100 * float(part(shares)) for part in (np.min, np.mean, np.max))
    ends = f"{spanish_number(low, decimals)}–{spanish_number(high, decimals)}"
    return f"{spanish_number(mean, decimals)} % ({ends})"


def listed(values: Iterable[SupportsFloat], decimals: int = 2) -> str:
    """Los números de una lista, con punto y coma entre ellos: (0,25; 1,00)."""
    return "(" + "; ".join(spanish_number(value, decimals) for value in values) + ")"
