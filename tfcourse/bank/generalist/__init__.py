"""Ejercicios del agente generalista: contar tokens, escribir números y poner pasos en fila."""

from tfcourse.bank.generalist.counting import WINDOW
from tfcourse.bank.generalist.rows import ROWS
from tfcourse.bank.generalist.values import VALUES

EXERCISES = (WINDOW, VALUES, ROWS)
