"""Ejercicios de espectrogramas, decibelios y escala mel."""

from tfcourse.bank.spectrograms.bands import SILENCED
from tfcourse.bank.spectrograms.decibels import LEVEL
from tfcourse.bank.spectrograms.filters import TRIANGLES
from tfcourse.bank.spectrograms.overlap import OVERLAP
from tfcourse.bank.spectrograms.ruler import RULER
from tfcourse.bank.spectrograms.sizes import SIZES

EXERCISES = (SIZES, OVERLAP, LEVEL, TRIANGLES, SILENCED, RULER)
