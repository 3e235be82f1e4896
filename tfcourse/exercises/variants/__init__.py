"""Ejercicios de variantes del ViT: destilación, ventanas, fusión y costes."""

from tfcourse.exercises.variants.distillation import SOFT
from tfcourse.exercises.variants.masks import MASK
from tfcourse.exercises.variants.merging import MERGE
from tfcourse.exercises.variants.mixed import MIXED
from tfcourse.exercises.variants.understanding import STAGES, WINDOWS

EXERCISES = (WINDOWS, STAGES, SOFT, MASK, MERGE, MIXED)
