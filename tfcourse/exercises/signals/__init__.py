"""Ejercicios de señales, Fourier y espectrogramas."""

from tfcourse.exercises.signals.aliases import ALIASES
from tfcourse.exercises.signals.bands import SILENCED
from tfcourse.exercises.signals.decibels import LEVEL
from tfcourse.exercises.signals.filters import TRIANGLES
from tfcourse.exercises.signals.fourier import COEFFICIENT
from tfcourse.exercises.signals.sizes import SIZES

EXERCISES = (ALIASES, SIZES, COEFFICIENT, LEVEL, TRIANGLES, SILENCED)
