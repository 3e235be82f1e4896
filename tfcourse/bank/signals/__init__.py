"""Ejercicios de señales, Fourier y espectrogramas."""

from tfcourse.bank.signals.aliases import ALIASES
from tfcourse.bank.signals.bands import SILENCED
from tfcourse.bank.signals.decibels import LEVEL
from tfcourse.bank.signals.filters import TRIANGLES
from tfcourse.bank.signals.fourier import COEFFICIENT
from tfcourse.bank.signals.sizes import SIZES

EXERCISES = (ALIASES, SIZES, COEFFICIENT, LEVEL, TRIANGLES, SILENCED)
