"""Ejercicios del habla al texto."""

from tfcourse.bank.transcription.collapse import COLLAPSED
from tfcourse.bank.transcription.features import CLIPPED
from tfcourse.bank.transcription.lengths import LENGTHS
from tfcourse.bank.transcription.pieces import PIECES
from tfcourse.bank.transcription.positions import WAVES
from tfcourse.bank.transcription.word_errors import ERRORS

EXERCISES = (LENGTHS, ERRORS, WAVES, CLIPPED, COLLAPSED, PIECES)
