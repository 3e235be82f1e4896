"""Los proyectos: construir un modelo entero, paso a paso, en un archivo vacío.

Cada paso se comprueba como un ejercicio, con `comprobar`; el que falte lo presta el curso.
"""

from tfcourse.projects.lending import prestada

__all__ = ["prestada"]
