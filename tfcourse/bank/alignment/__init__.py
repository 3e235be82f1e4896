"""Ejercicios de funciones de alineamiento y clases de atención."""

from tfcourse.bank.alignment.cosine import COSINE
from tfcourse.bank.alignment.distance import DISTANCE
from tfcourse.bank.alignment.levels import TWO_LEVELS
from tfcourse.bank.alignment.sampling import REINFORCE
from tfcourse.bank.alignment.simplex import SIMPLEX
from tfcourse.bank.alignment.understanding import SCORES
from tfcourse.bank.alignment.window import WINDOW

EXERCISES = (SCORES, SIMPLEX, COSINE, WINDOW, TWO_LEVELS, REINFORCE, DISTANCE)
