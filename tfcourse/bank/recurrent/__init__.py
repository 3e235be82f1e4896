"""Ejercicios de redes neuronales recurrentes."""

from tfcourse.bank.recurrent.bidirectional import BIDIRECTIONAL
from tfcourse.bank.recurrent.by_hand import BY_HAND
from tfcourse.bank.recurrent.fading import FADING
from tfcourse.bank.recurrent.gradient import GRADIENT
from tfcourse.bank.recurrent.language import BITS, WINDOWS
from tfcourse.bank.recurrent.understanding import PARAMETERS

EXERCISES = (PARAMETERS, BY_HAND, FADING, GRADIENT, BIDIRECTIONAL, BITS, WINDOWS)
