"""Ejercicios de historias clínicas."""

from tfcourse.bank.records.orders import ORDERS
from tfcourse.bank.records.ranking import RANKING

EXERCISES = (ORDERS, RANKING)
