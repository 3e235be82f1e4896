"""Ejercicios de señales, muestreo y Fourier."""

from tfcourse.bank.signals.aliases import ALIASES
from tfcourse.bank.signals.fourier import COEFFICIENT
from tfcourse.bank.signals.products import PRODUCTS

EXERCISES = (ALIASES, COEFFICIENT, PRODUCTS)
