"""Ejercicios de separación de voces: medir, permutar, trocear y poner máscaras."""

from tfcourse.exercises.separation.chunks import CHUNKS
from tfcourse.exercises.separation.hard_pairs import HARD_PAIRS
from tfcourse.exercises.separation.ideal import IDEAL
from tfcourse.exercises.separation.path_pairs import PATHS
from tfcourse.exercises.separation.score import SCORE
from tfcourse.exercises.separation.three import THREE
from tfcourse.exercises.separation.who import WHO

EXERCISES = (PATHS, WHO, SCORE, CHUNKS, THREE, IDEAL, HARD_PAIRS)
