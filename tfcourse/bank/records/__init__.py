"""Ejercicios de historias clínicas."""

from tfcourse.bank.records.ranking import RANKING

EXERCISES = (RANKING,)
