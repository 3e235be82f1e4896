"""Ejercicios de autoatención y atención multicabeza."""

from tfcourse.bank.attention.causal import CAUSAL
from tfcourse.bank.attention.collapse import COLLAPSE
from tfcourse.bank.attention.columns import COLUMNS
from tfcourse.bank.attention.heads import MULTIHEAD, SPLIT
from tfcourse.bank.attention.sizes import COUNTS
from tfcourse.bank.attention.visible import VISIBLE

EXERCISES = (COUNTS, VISIBLE, COLUMNS, CAUSAL, SPLIT, MULTIHEAD, COLLAPSE)
