"""Ejercicios del agente generalista: contar tokens, escribir números y poner pasos en fila."""

from tfcourse.exercises.generalist.counting import WINDOW
from tfcourse.exercises.generalist.rows import ROWS
from tfcourse.exercises.generalist.values import VALUES

EXERCISES = (WINDOW, VALUES, ROWS)
