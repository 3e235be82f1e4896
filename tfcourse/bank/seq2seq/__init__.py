"""Ejercicios de secuencia a secuencia y atención de Bahdanau."""

from tfcourse.bank.seq2seq.additive import ADDITIVE_SCORE
from tfcourse.bank.seq2seq.by_hand import BY_HAND
from tfcourse.bank.seq2seq.context import CONTEXT, LUONG
from tfcourse.bank.seq2seq.decoding import GREEDY
from tfcourse.bank.seq2seq.experiment import REVERSE_INPUT
from tfcourse.bank.seq2seq.masking import MASKED_WEIGHTS
from tfcourse.bank.seq2seq.understanding import MEMORY

EXERCISES = (
    MEMORY,
    BY_HAND,
    CONTEXT,
    ADDITIVE_SCORE,
    MASKED_WEIGHTS,
    GREEDY,
    LUONG,
    REVERSE_INPUT,
)
