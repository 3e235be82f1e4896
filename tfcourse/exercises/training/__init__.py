"""Ejercicios de entrenar Transformers."""

from tfcourse.exercises.training.adam import ADAM
from tfcourse.exercises.training.clipping import CLIPPING
from tfcourse.exercises.training.first_step import FIRST_STEP
from tfcourse.exercises.training.rates import NOAM
from tfcourse.exercises.training.smoothing import SMOOTHING
from tfcourse.exercises.training.t_fixup import SCALES

EXERCISES = (FIRST_STEP, SCALES, NOAM, ADAM, SMOOTHING, CLIPPING)
