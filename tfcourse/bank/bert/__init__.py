"""Ejercicios de BERT y su familia."""

from tfcourse.bank.bert.faults import MASKING_FAULTS
from tfcourse.bank.bert.gradient import GAP_GRADIENT
from tfcourse.bank.bert.pairs import PAIRS
from tfcourse.bank.bert.rate import RATE
from tfcourse.bank.bert.turns import TURNS
from tfcourse.bank.bert.understanding import COUNTS, WEIGHTS

EXERCISES = (COUNTS, WEIGHTS, MASKING_FAULTS, GAP_GRADIENT, PAIRS, TURNS, RATE)
