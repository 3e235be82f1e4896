"""Ejercicios de detección como lenguaje."""

from tfcourse.bank.box_language.one_answer import ONE_ANSWER
from tfcourse.bank.box_language.repeated import REPEATED
from tfcourse.bank.box_language.rules import RULES
from tfcourse.bank.box_language.sentence import SENTENCE
from tfcourse.bank.box_language.understanding import IGNORANCE, ROUNDING

EXERCISES = (ROUNDING, IGNORANCE, SENTENCE, ONE_ANSWER, RULES, REPEATED)
