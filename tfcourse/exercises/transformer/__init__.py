"""Ejercicios del Transformer completo."""

from tfcourse.exercises.transformer.block import BLOCK
from tfcourse.exercises.transformer.evaluation import WORDS
from tfcourse.exercises.transformer.norms import NORM
from tfcourse.exercises.transformer.positions import POSITIONS
from tfcourse.exercises.transformer.understanding import PARAMETERS, SHIFT

EXERCISES = (PARAMETERS, SHIFT, POSITIONS, NORM, BLOCK, WORDS)
