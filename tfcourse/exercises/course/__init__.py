"""Ejercicio de cierre: de quién depende una respuesta."""

from tfcourse.exercises.course.dependence import DEPENDENCE

EXERCISES = (DEPENDENCE,)
