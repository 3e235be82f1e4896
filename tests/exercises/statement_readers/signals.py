"""Lectores de los enunciados de las señales y los espectrogramas."""

import re

from tests.exercises.statement_readers import count, enumerated, only, tabled, value

NUMBER = r"(\d[\d ]*)"
WHISPER = (16_000, 400, 160)  # muestras por segundo, ventana y salto


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


def spectrogram(statement: str) -> dict[str, float]:
    *given, how, window, hop = only(
        rf"\*\*(\d+) segundos a {NUMBER} Hz\*\* se analiza (así|como lo hace Whisper): ventana de "
        r"(\d+) muestras y salto de (\d+), con los tramos centrados y la señal reflejada",
        statement,
    )
    seconds, rate, window, hop = (int(value(text)) for text in (*given, window, hop))
    assert how == "así" or (rate, window, hop) == WHISPER
    _check_eight_thousand(statement)
    return asked_dictionary(statement, _sizes(seconds, rate, window, hop))


def _check_eight_thousand(statement: str) -> None:
    *given, example = only(
        rf"con (\d+) segundo a {NUMBER} Hz, ventana de (\d+) y salto de (\d+) serían (.+)\.$",
        statement,
    )
    assert enumerated(example) == [*_sizes(*(int(value(text)) for text in given))]


def _sizes(seconds: int, rate: int, window: int, hop: int) -> tuple[float, ...]:
    """Casillas, instantes, hercios y milisegundos."""
    kept = [turns for turns in range(window) if 2 * turns <= window]  # hasta la mitad, incluida
    return len(kept), len(centres(seconds * rate, hop)), rate / window, 1000 * window / rate


def centres(samples: int, hop: int) -> list[int]:
    """En qué muestra está el centro de cada tramo, con los bordes reflejados."""
    return list(range(0, samples + 1, hop))


def asked_dictionary(statement: str, values: tuple[float, ...]) -> dict[str, float]:
    """Los valores, con las claves de la tabla del enunciado, que van en su orden."""
    assert only(r"[Dd]evuelve (un diccionario):", statement)
    return dict(zip(tabled(statement), values, strict=True))


READERS = {"que-alias-se-oye": aliases, "cuanto-mide-un-espectrograma": spectrogram}
