"""Ejercicios de fusión: contar tokens, mirar, cortar, quitar y juntar."""

from tfcourse.bank.fusion.answers import ANSWERS
from tfcourse.bank.fusion.counting import COUNTING
from tfcourse.bank.fusion.dropping import DROPPING
from tfcourse.bank.fusion.looking import LOOKING
from tfcourse.bank.fusion.pairs import PAIRS
from tfcourse.bank.fusion.tubes import TUBES

EXERCISES = (COUNTING, PAIRS, LOOKING, TUBES, DROPPING, ANSWERS)
