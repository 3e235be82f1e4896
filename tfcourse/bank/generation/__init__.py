"""Ejercicios de generación autorregresiva."""

from tfcourse.bank.generation.bits import BITS
from tfcourse.bank.generation.cached import CACHED
from tfcourse.bank.generation.nucleus import NUCLEUS
from tfcourse.bank.generation.repetition import REPETITION
from tfcourse.bank.generation.rotation import ROTATION
from tfcourse.bank.generation.survivors import SURVIVORS
from tfcourse.bank.generation.understanding import CACHE_SIZE

EXERCISES = (SURVIVORS, CACHE_SIZE, ROTATION, BITS, NUCLEUS, CACHED, REPETITION)
