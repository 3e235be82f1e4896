"""Ejercicios del habla al texto."""

from tfcourse.bank.transcription.ctc_gradient import CTC_GRADIENT
from tfcourse.bank.transcription.features import SPEECH_INPUT
from tfcourse.bank.transcription.lengths import LENGTHS
from tfcourse.bank.transcription.pieces import PIECES
from tfcourse.bank.transcription.time_marks import TIME_MARKS
from tfcourse.bank.transcription.word_errors import ERRORS

EXERCISES = (LENGTHS, ERRORS, SPEECH_INPUT, TIME_MARKS, CTC_GRADIENT, PIECES)
