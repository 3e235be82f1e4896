"""Ejercicios de destilación."""

from tfcourse.bank.distillation.mixed import MIXED
from tfcourse.bank.distillation.soft import SOFT

EXERCISES = (SOFT, MIXED)
