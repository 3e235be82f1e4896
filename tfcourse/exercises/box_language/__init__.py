"""Ejercicios de detección como lenguaje."""

from tfcourse.exercises.box_language.repeated import REPEATED
from tfcourse.exercises.box_language.rules import RULES
from tfcourse.exercises.box_language.sentence import SENTENCE
from tfcourse.exercises.box_language.understanding import IGNORANCE, ROUNDING
from tfcourse.exercises.box_language.weights import WEIGHTS

EXERCISES = (ROUNDING, IGNORANCE, SENTENCE, WEIGHTS, RULES, REPEATED)
