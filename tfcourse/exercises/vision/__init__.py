"""Ejercicios de imágenes como secuencias de parches."""

from tfcourse.exercises.vision.occlusion import ERASE
from tfcourse.exercises.vision.patches import PATCHES
from tfcourse.exercises.vision.positions import RESIZED
from tfcourse.exercises.vision.rollout import ROLLOUT
from tfcourse.exercises.vision.understanding import COST, SIZES

EXERCISES = (SIZES, COST, PATCHES, RESIZED, ROLLOUT, ERASE)
