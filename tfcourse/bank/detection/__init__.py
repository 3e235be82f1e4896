"""Ejercicios de detección como conjunto."""

from tfcourse.bank.detection.costs import COSTS
from tfcourse.bank.detection.pairs import PAIRS
from tfcourse.bank.detection.precision import PRECISION
from tfcourse.bank.detection.pull import PULL
from tfcourse.bank.detection.suppression import SUPPRESSION
from tfcourse.bank.detection.understanding import BY_HAND

EXERCISES = (BY_HAND, PAIRS, PULL, COSTS, PRECISION, SUPPRESSION)
