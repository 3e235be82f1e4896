"""Ejercicios de autoatención y atención multicabeza."""

from tfcourse.exercises.attention.causal import CAUSAL
from tfcourse.exercises.attention.collapse import COLLAPSE
from tfcourse.exercises.attention.columns import COLUMNS
from tfcourse.exercises.attention.heads import MULTIHEAD, SPLIT
from tfcourse.exercises.attention.sizes import COUNTS
from tfcourse.exercises.attention.visible import VISIBLE

EXERCISES = (COUNTS, VISIBLE, COLUMNS, CAUSAL, SPLIT, MULTIHEAD, COLLAPSE)
