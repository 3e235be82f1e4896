"""Ejercicios de análisis de sentimiento."""

from tfcourse.bank.sentiment.convolution import CONVOLUTION
from tfcourse.bank.sentiment.differences import DIFFERENCES
from tfcourse.bank.sentiment.kernel import KERNEL
from tfcourse.bank.sentiment.path import PATH
from tfcourse.bank.sentiment.scope import SCOPE
from tfcourse.bank.sentiment.tie import TIE
from tfcourse.bank.sentiment.understanding import SIZES

EXERCISES = (SIZES, TIE, SCOPE, KERNEL, CONVOLUTION, PATH, DIFFERENCES)
