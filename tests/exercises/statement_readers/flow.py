"""Lectores de los enunciados de «Generar imágenes».

Por escribir: uno por ejercicio con sorteo, que saca las constantes del enunciado y hace la cuenta.
"""

from collections.abc import Callable

READERS: dict[str, Callable[[str], object]] = {}
