"""Ejercicios de LSTM, GRU y el gradiente a través del tiempo."""

from tfcourse.bank.gates.cells import LSTM_FAULTS
from tfcourse.bank.gates.coupled import COUPLED
from tfcourse.bank.gates.gradient import CLIPPING, POWER
from tfcourse.bank.gates.half_life import HALF_LIFE
from tfcourse.bank.gates.jump import JUMP
from tfcourse.bank.gates.understanding import PARAMETERS

EXERCISES = (PARAMETERS, HALF_LIFE, POWER, CLIPPING, LSTM_FAULTS, JUMP, COUPLED)
