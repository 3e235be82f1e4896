"""Ejercicios de generación autorregresiva."""

from tfcourse.exercises.generation.bits import BITS
from tfcourse.exercises.generation.cached import CACHED
from tfcourse.exercises.generation.nucleus import NUCLEUS
from tfcourse.exercises.generation.repetition import REPETITION
from tfcourse.exercises.generation.rotation import ROTATION
from tfcourse.exercises.generation.survivors import SURVIVORS
from tfcourse.exercises.generation.understanding import CACHE_SIZE

EXERCISES = (SURVIVORS, CACHE_SIZE, ROTATION, BITS, NUCLEUS, CACHED, REPETITION)
