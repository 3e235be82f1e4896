"""Ejercicios de análisis de sentimiento."""

from tfcourse.bank.sentiment.attending import ATTENDING
from tfcourse.bank.sentiment.convolution import CONVOLUTION
from tfcourse.bank.sentiment.differences import DIFFERENCES
from tfcourse.bank.sentiment.extremes import EXTREMES
from tfcourse.bank.sentiment.predicting import SHARE
from tfcourse.bank.sentiment.tie import TIE
from tfcourse.bank.sentiment.understanding import SIZES

EXERCISES = (SIZES, TIE, EXTREMES, ATTENDING, CONVOLUTION, SHARE, DIFFERENCES)
