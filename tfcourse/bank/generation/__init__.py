"""Ejercicios de generación autorregresiva."""

from tfcourse.bank.generation.bits import BITS
from tfcourse.bank.generation.grouped import GROUPED
from tfcourse.bank.generation.repetition import REPETITION
from tfcourse.bank.generation.rotation import ROTATION
from tfcourse.bank.generation.survivors import SURVIVORS
from tfcourse.bank.generation.turned_twice import TURNED_TWICE
from tfcourse.bank.generation.understanding import CACHE_SIZE

EXERCISES = (SURVIVORS, CACHE_SIZE, ROTATION, BITS, TURNED_TWICE, GROUPED, REPETITION)
