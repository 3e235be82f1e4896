"""Ejercicios de «Buscar con significado»."""

from tfcourse.bank.search.cells import CELLS
from tfcourse.bank.search.fused import FUSED
from tfcourse.bank.search.lots import LOTS
from tfcourse.bank.search.orders import ORDERS
from tfcourse.bank.search.pooled import POOLED
from tfcourse.bank.search.temperature import TEMPERATURE
from tfcourse.bank.search.weights import WEIGHTS

EXERCISES = (ORDERS, WEIGHTS, LOTS, POOLED, TEMPERATURE, FUSED, CELLS)
