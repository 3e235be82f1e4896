"""Máquina de cuadernos: los ejecuta a solas, los mide, los limpia y los guarda de una vez."""

from tfcourse.notebooks.book import book_notebooks, is_exercises
from tfcourse.notebooks.budget import Measure
from tfcourse.notebooks.cleaning import clean
from tfcourse.notebooks.machine import execute, execute_all

__all__ = ["Measure", "book_notebooks", "clean", "execute", "execute_all", "is_exercises"]
