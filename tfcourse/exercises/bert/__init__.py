"""Ejercicios de BERT y su familia."""

from tfcourse.exercises.bert.loss import MASKED_LOSS
from tfcourse.exercises.bert.masking import MASKING
from tfcourse.exercises.bert.order import ORDER_MASK
from tfcourse.exercises.bert.pairs import PAIRS
from tfcourse.exercises.bert.rate import RATE
from tfcourse.exercises.bert.understanding import COUNTS, WEIGHTS

EXERCISES = (COUNTS, WEIGHTS, MASKING, MASKED_LOSS, PAIRS, ORDER_MASK, RATE)
