"""Respuestas equivocadas de «Generar imágenes».

Por escribir: de cada ejercicio, al menos tres, como las daría quien empieza.
"""

from tests.exercises.wrong_answers import Wrong

WRONG: dict[str, tuple[Wrong, ...]] = {}
