"""Ejercicios de detección como lenguaje."""

from tfcourse.bank.box_language.repeated import REPEATED
from tfcourse.bank.box_language.rules import RULES
from tfcourse.bank.box_language.sentence import SENTENCE
from tfcourse.bank.box_language.understanding import IGNORANCE, ROUNDING
from tfcourse.bank.box_language.weights import WEIGHTS

EXERCISES = (ROUNDING, IGNORANCE, SENTENCE, WEIGHTS, RULES, REPEATED)
