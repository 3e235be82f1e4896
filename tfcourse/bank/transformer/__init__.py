"""Ejercicios del Transformer completo."""

from tfcourse.bank.transformer.evaluation import WORDS
from tfcourse.bank.transformer.future import FUTURE
from tfcourse.bank.transformer.norm_gradient import NORM_GRADIENT
from tfcourse.bank.transformer.positions import POSITIONS
from tfcourse.bank.transformer.rereading import REREADING
from tfcourse.bank.transformer.understanding import SHIFT

EXERCISES = (REREADING, SHIFT, POSITIONS, FUTURE, NORM_GRADIENT, WORDS)
