"""Ejercicios de fusión: contar tokens, mirar, cortar, quitar y juntar."""

from tfcourse.exercises.fusion.answers import ANSWERS
from tfcourse.exercises.fusion.dropping import DROPPING
from tfcourse.exercises.fusion.looking import LOOKING
from tfcourse.exercises.fusion.tubes import TUBES
from tfcourse.exercises.fusion.understanding import COUNTING, PAIRS

EXERCISES = (COUNTING, PAIRS, LOOKING, TUBES, DROPPING, ANSWERS)
