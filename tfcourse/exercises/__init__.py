"""Ejercicios que se corrigen solos: `comprobar` dice qué falla y `pista` ayuda sin resolver."""

from tfcourse.exercises.console import comprobar, pista
from tfcourse.exercises.diagnosis import RespuestaIncorrecta, UsoIncorrecto

__all__ = ["RespuestaIncorrecta", "UsoIncorrecto", "comprobar", "pista"]
