"""Lectores de los enunciados de las señales."""

import re

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


READERS = {"que-alias-se-oye": aliases, "cuantos-productos": products}
