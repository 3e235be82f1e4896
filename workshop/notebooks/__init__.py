"""Máquina de cuadernos: los ejecuta a solas, los mide, los limpia y los guarda de una vez."""

from workshop.notebooks.book import (
    Chapter,
    book_chapters,
    book_notebooks,
    find_chapter,
    is_exercises,
)
from workshop.notebooks.budget import Measure
from workshop.notebooks.cleaning import clean
from workshop.notebooks.machine import execute, execute_all

__all__ = [
    "Chapter",
    "Measure",
    "book_chapters",
    "book_notebooks",
    "clean",
    "execute",
    "execute_all",
    "find_chapter",
    "is_exercises",
]
