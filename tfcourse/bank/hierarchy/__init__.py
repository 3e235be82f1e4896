"""Ejercicios de la jerarquía: ventanas que se mueven y mapas cada vez más pequeños."""

from tfcourse.bank.hierarchy.masks import MASK
from tfcourse.bank.hierarchy.merging import MERGE
from tfcourse.bank.hierarchy.understanding import STAGES, WINDOWS

EXERCISES = (WINDOWS, STAGES, MASK, MERGE)
