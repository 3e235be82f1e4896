"""Ejercicios de LSTM, GRU y el gradiente a través del tiempo."""

from tfcourse.exercises.gates.cells import GRU_STEP, LSTM_STEP
from tfcourse.exercises.gates.coupled import COUPLED
from tfcourse.exercises.gates.gradient import CLIPPING, POWER
from tfcourse.exercises.gates.half_life import HALF_LIFE
from tfcourse.exercises.gates.understanding import PARAMETERS

EXERCISES = (PARAMETERS, HALF_LIFE, POWER, CLIPPING, LSTM_STEP, GRU_STEP, COUPLED)
