"""Ejercicios de señales, muestreo y Fourier."""

from tfcourse.bank.signals.aliases import ALIASES
from tfcourse.bank.signals.bins import BINS
from tfcourse.bank.signals.filters import FILTERS
from tfcourse.bank.signals.fourier import COEFFICIENT
from tfcourse.bank.signals.peaks import PEAKS
from tfcourse.bank.signals.products import PRODUCTS

EXERCISES = (ALIASES, FILTERS, COEFFICIENT, BINS, PRODUCTS, PEAKS)
