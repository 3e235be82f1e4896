"""Ejercicio de cierre: de quién depende una respuesta."""

from tfcourse.bank.course_map.dependence import DEPENDENCE

EXERCISES = (DEPENDENCE,)
