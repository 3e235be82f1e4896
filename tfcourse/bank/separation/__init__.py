"""Ejercicios de separación de voces: medir, permutar, trocear y poner máscaras."""

from tfcourse.bank.separation.chunks import CHUNKS
from tfcourse.bank.separation.hard_pairs import HARD_PAIRS
from tfcourse.bank.separation.ideal import IDEAL
from tfcourse.bank.separation.path_pairs import PATHS
from tfcourse.bank.separation.score import SCORE
from tfcourse.bank.separation.three import THREE
from tfcourse.bank.separation.who import WHO

EXERCISES = (PATHS, WHO, SCORE, CHUNKS, THREE, IDEAL, HARD_PAIRS)
