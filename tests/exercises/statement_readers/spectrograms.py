"""Lectores de los enunciados de los espectrogramas."""

import math

from tests.exercises.statement_readers import enumerated, only, tabled, value

NUMBER = r"(\d[\d ]*)"
WHISPER = (16_000, 400, 160)  # muestras por segundo, ventana y salto


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


def overlap(statement: str) -> dict[str, float]:
    """Suma las ventanas de una muestra cualquiera, y prueba saltos hasta que queda un hueco."""
    size, hop = map(int, only(r"\*\*(\d+) muestras y un salto de (\d+)\*\*", statement))
    window = [0.5 - 0.5 * math.cos(2 * math.pi * n / size) for n in range(size)]
    covering = window[7 % hop :: hop]
    largest = max(step for step in range(1, size + 1) if _covers(window, step))
    found = sum(covering), sum(height**2 for height in covering), largest
    return dict(zip(tabled(statement), found, strict=True))


def _covers(window: list[float], hop: int) -> bool:
    """Si, lejos de los bordes, ninguna muestra se queda sin una ventana que no valga 0."""
    return all(any(height > 0 for height in window[place::hop]) for place in range(hop))


READERS = {"cuanto-mide-un-espectrograma": spectrogram, "solapar-y-sumar": overlap}
