"""Ejercicios de detección como conjunto."""

from tfcourse.bank.detection.costs import COSTS
from tfcourse.bank.detection.overlap import GIOU
from tfcourse.bank.detection.pairs import PAIRS
from tfcourse.bank.detection.precision import PRECISION
from tfcourse.bank.detection.suppression import SUPPRESSION
from tfcourse.bank.detection.understanding import BY_HAND

EXERCISES = (BY_HAND, PAIRS, GIOU, COSTS, PRECISION, SUPPRESSION)
