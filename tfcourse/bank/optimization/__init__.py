"""Ejercicios de entrenar Transformers."""

from tfcourse.bank.optimization.adam import ADAMW
from tfcourse.bank.optimization.advance import ADVANCE
from tfcourse.bank.optimization.clipping import CLIPPING
from tfcourse.bank.optimization.first_step import FIRST_STEP
from tfcourse.bank.optimization.smoothing import SMOOTHING
from tfcourse.bank.optimization.t_fixup import SCALES

EXERCISES = (FIRST_STEP, SCALES, ADVANCE, ADAMW, SMOOTHING, CLIPPING)
