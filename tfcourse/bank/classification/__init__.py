"""Ejercicios de imágenes como secuencias de parches."""

from tfcourse.bank.classification.occlusion import ERASE
from tfcourse.bank.classification.patches import PATCHES
from tfcourse.bank.classification.positions import RESIZED
from tfcourse.bank.classification.rollout import ROLLOUT
from tfcourse.bank.classification.understanding import COST, SIZES

EXERCISES = (SIZES, COST, PATCHES, RESIZED, ROLLOUT, ERASE)
