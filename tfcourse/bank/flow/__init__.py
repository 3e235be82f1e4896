"""Ejercicios de «Generar imágenes».

Por escribir: un módulo por ejercicio, que define su `Exercise`; aquí se enumeran por su orden.
"""

from tfcourse.exercises.engine import Exercise

EXERCISES: tuple[Exercise, ...] = ()
