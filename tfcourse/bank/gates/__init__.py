"""Ejercicios de LSTM, GRU y el gradiente a través del tiempo."""

from tfcourse.bank.gates.cells import GRU_STEP, LSTM_STEP
from tfcourse.bank.gates.coupled import COUPLED
from tfcourse.bank.gates.gradient import CLIPPING, POWER
from tfcourse.bank.gates.half_life import HALF_LIFE
from tfcourse.bank.gates.understanding import PARAMETERS

EXERCISES = (PARAMETERS, HALF_LIFE, POWER, CLIPPING, LSTM_STEP, GRU_STEP, COUPLED)
