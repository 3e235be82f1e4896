"""Ejercicios de detección como conjunto."""

from tfcourse.exercises.detection.costs import COSTS
from tfcourse.exercises.detection.overlap import GIOU
from tfcourse.exercises.detection.pairs import PAIRS
from tfcourse.exercises.detection.precision import PRECISION
from tfcourse.exercises.detection.suppression import SUPPRESSION
from tfcourse.exercises.detection.understanding import BY_HAND

EXERCISES = (BY_HAND, PAIRS, GIOU, COSTS, PRECISION, SUPPRESSION)
