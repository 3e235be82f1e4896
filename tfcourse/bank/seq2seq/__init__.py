"""Ejercicios de secuencia a secuencia y atención de Bahdanau."""

from tfcourse.bank.seq2seq.by_hand import BY_HAND
from tfcourse.bank.seq2seq.context import CONTEXT, LUONG
from tfcourse.bank.seq2seq.decoding import GREEDY
from tfcourse.bank.seq2seq.derived import SCORE_GRADIENT
from tfcourse.bank.seq2seq.experiment import REVERSE_INPUT
from tfcourse.bank.seq2seq.prediction import PREDICTION
from tfcourse.bank.seq2seq.understanding import MEMORY

EXERCISES = (
    MEMORY,
    BY_HAND,
    CONTEXT,
    SCORE_GRADIENT,
    PREDICTION,
    GREEDY,
    LUONG,
    REVERSE_INPUT,
)
