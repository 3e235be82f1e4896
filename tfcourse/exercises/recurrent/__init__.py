"""Ejercicios de redes neuronales recurrentes."""

from tfcourse.exercises.recurrent.bidirectional import BIDIRECTIONAL
from tfcourse.exercises.recurrent.by_hand import BY_HAND
from tfcourse.exercises.recurrent.gradient import GRADIENT
from tfcourse.exercises.recurrent.language import BITS, WINDOWS
from tfcourse.exercises.recurrent.states import STATES
from tfcourse.exercises.recurrent.understanding import PARAMETERS

EXERCISES = (PARAMETERS, BY_HAND, STATES, GRADIENT, BIDIRECTIONAL, BITS, WINDOWS)
