"""Ejercicios de embeddings."""

from tfcourse.bank.words.ending import ENDING
from tfcourse.bank.words.gradients import WORD_GRADIENTS
from tfcourse.bank.words.nearest import NEAREST
from tfcourse.bank.words.subsampling import SUBSAMPLING
from tfcourse.bank.words.table import TABLE
from tfcourse.bank.words.window import WINDOW

EXERCISES = (TABLE, SUBSAMPLING, WORD_GRADIENTS, NEAREST, ENDING, WINDOW)
