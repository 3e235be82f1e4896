"""Ejercicios de funciones de alineamiento y clases de atención."""

from tfcourse.exercises.alignment.cosine import COSINE
from tfcourse.exercises.alignment.distance import DISTANCE
from tfcourse.exercises.alignment.levels import TWO_LEVELS
from tfcourse.exercises.alignment.sampling import REINFORCE
from tfcourse.exercises.alignment.simplex import SIMPLEX
from tfcourse.exercises.alignment.understanding import SCORES
from tfcourse.exercises.alignment.window import WINDOW

EXERCISES = (SCORES, SIMPLEX, COSINE, WINDOW, TWO_LEVELS, REINFORCE, DISTANCE)
