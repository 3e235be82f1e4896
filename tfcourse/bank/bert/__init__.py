"""Ejercicios de BERT y su familia."""

from tfcourse.bank.bert.loss import MASKED_LOSS
from tfcourse.bank.bert.masking import MASKING
from tfcourse.bank.bert.order import ORDER_MASK
from tfcourse.bank.bert.pairs import PAIRS
from tfcourse.bank.bert.rate import RATE
from tfcourse.bank.bert.understanding import COUNTS, WEIGHTS

EXERCISES = (COUNTS, WEIGHTS, MASKING, MASKED_LOSS, PAIRS, ORDER_MASK, RATE)
