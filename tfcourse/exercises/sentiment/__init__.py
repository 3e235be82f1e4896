"""Ejercicios de análisis de sentimiento."""

from tfcourse.exercises.sentiment.convolution import CONVOLUTION
from tfcourse.exercises.sentiment.differences import DIFFERENCES
from tfcourse.exercises.sentiment.kernel import KERNEL
from tfcourse.exercises.sentiment.path import PATH
from tfcourse.exercises.sentiment.scope import SCOPE
from tfcourse.exercises.sentiment.tie import TIE
from tfcourse.exercises.sentiment.understanding import SIZES

EXERCISES = (SIZES, TIE, SCOPE, KERNEL, CONVOLUTION, PATH, DIFFERENCES)
