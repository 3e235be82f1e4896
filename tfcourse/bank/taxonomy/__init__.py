"""Ejercicios de la taxonomía de la atención."""

from tfcourse.bank.taxonomy.baseline import BASELINE
from tfcourse.bank.taxonomy.counting import COUNTING
from tfcourse.bank.taxonomy.dropping import DROPPING
from tfcourse.bank.taxonomy.levels import ONE_LEVEL
from tfcourse.bank.taxonomy.two_draws import TWO_DRAWS
from tfcourse.bank.taxonomy.window import WINDOW

EXERCISES = (COUNTING, TWO_DRAWS, WINDOW, ONE_LEVEL, BASELINE, DROPPING)
