"""Ejercicios de separación de voces: medir, permutar, trocear y poner máscaras."""

from tfcourse.bank.separation.hard_pairs import HARD_PAIRS
from tfcourse.bank.separation.least_squares import LEAST_SQUARES
from tfcourse.bank.separation.left_over import LEFT_OVER
from tfcourse.bank.separation.path_pairs import PATHS
from tfcourse.bank.separation.score import SCORE
from tfcourse.bank.separation.three import THREE
from tfcourse.bank.separation.who import WHO

EXERCISES = (PATHS, WHO, SCORE, LEAST_SQUARES, THREE, LEFT_OVER, HARD_PAIRS)
