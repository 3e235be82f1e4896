"""Lectores de los enunciados de las señales."""

import math
import re

import pytest
import torch

from tests.exercises.statement_readers import count, only, tabled, value

NUMBER = r"(\d[\d ]*)"


def aliases(statement: str) -> dict[str, float]:
    rate = value(only(rf"a \*\*{NUMBER}\*\* muestras por segundo, sin filtro", statement))
    tones = {
        name: value(hertz) for name, hertz in re.findall(rf"`(\w)`, de {NUMBER} Hz", statement)
    }
    assert len(tones) == count(only(r"Se muestrean (\w+) tonos", statement))
    assert len(tones) == count(only(r"Devuelve un diccionario con (\w+) números", statement))
    hertz, alias = map(value, only(rf"uno de {NUMBER} Hz se oiría a {NUMBER}\.", statement))
    assert _heard(hertz, rate) == alias != hertz and hertz not in tones.values()
    return {name: _heard(hertz, rate) for name, hertz in tones.items()}


def _heard(hertz: float, rate: float) -> float:
    """Quita una frecuencia de muestreo, y el signo si sale negativa, hasta que cabe."""
    while hertz > rate / 2:
        hertz = abs(hertz - rate)
    return hertz


def products(statement: str) -> dict[str, float]:
    """Cuenta los productos nivel a nivel, sin fórmula."""
    power, mixed = (
        int(value(only(rf"`{name}`, de \*\*{NUMBER}\*\* muestras", statement))) for name in "ab"
    )
    fast = _counted(power)
    return dict(zip(tabled(statement), (fast, power**2 / fast, _counted(mixed)), strict=True))


def _counted(size: int) -> int:
    """Parte mientras sea par y suma los giros; al final, la matriz de cada trozo."""
    pieces, turns = [size], 0
    while pieces[0] > 1 and pieces[0] % 2 == 0:
        turns += sum(piece // 2 for piece in pieces)
        pieces = [piece // 2 for piece in pieces for _ in range(2)]
    return turns if pieces[0] == 1 else turns + sum(piece**2 for piece in pieces)


def cosine(statement: str) -> dict[str, float]:
    """Hace la señal, con una fase cualquiera, y mira en qué casillas hay algo."""
    size, rate = map(value, only(rf"\*\*{NUMBER}\*\* muestras a \*\*{NUMBER}\*\*", statement))
    given = only(
        rf"una constante, \*\*(\d+)\*\*, más un coseno de amplitud \*\*(\d+)\*\* y "
        rf"\*\*{NUMBER}\*\* Hz",
        statement,
    )
    example = only(
        rf"con (\d+) muestras a {NUMBER} por segundo, y una constante (\d+) más un coseno de "
        rf"amplitud (\d+) y {NUMBER} Hz, las casillas son la (\d+) y la (\d+); los módulos, "
        r"(\d+) y (\d+), y el último, (\d+)\.",
        statement,
    )
    known, wanted = [*map(value, example[:5])], [*map(value, example[5:])]
    assert _bins(*known) == pytest.approx(wanted, abs=1e-6)
    return dict(zip(tabled(statement), _bins(size, rate, *map(value, given)), strict=True))


def _bins(size: float, rate: float, constant: float, amplitude: float, hertz: float) -> list[float]:
    n = torch.arange(int(size), dtype=torch.float64)
    wave = constant + amplitude * torch.cos(2 * math.pi * hertz / rate * n + 0.3)
    found = torch.fft.fft(wave).abs()
    first, second = [k for k in range(1, len(n)) if found[k] > 1e-6]
    softened = torch.fft.fft(wave * torch.hann_window(len(n), dtype=torch.float64)).abs()
    return [first, second, float(found[first]), float(found[0]), float(softened[first])]


READERS = {
    "que-alias-se-oye": aliases,
    "cuantos-productos": products,
    "donde-cae-un-coseno": cosine,
}
