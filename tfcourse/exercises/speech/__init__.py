"""Ejercicios del habla al texto."""

from tfcourse.exercises.speech.collapse import COLLAPSED
from tfcourse.exercises.speech.features import CLIPPED
from tfcourse.exercises.speech.lengths import LENGTHS
from tfcourse.exercises.speech.pieces import PIECES
from tfcourse.exercises.speech.positions import WAVES
from tfcourse.exercises.speech.word_errors import ERRORS

EXERCISES = (LENGTHS, ERRORS, WAVES, CLIPPED, COLLAPSED, PIECES)
