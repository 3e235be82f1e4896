"""Ejercicios de fusión: contar tokens, mirar, cortar, quitar y juntar."""

from tfcourse.exercises.fusion.answers import ANSWERS
from tfcourse.exercises.fusion.counting import COUNTING
from tfcourse.exercises.fusion.dropping import DROPPING
from tfcourse.exercises.fusion.looking import LOOKING
from tfcourse.exercises.fusion.pairs import PAIRS
from tfcourse.exercises.fusion.tubes import TUBES

EXERCISES = (COUNTING, PAIRS, LOOKING, TUBES, DROPPING, ANSWERS)
