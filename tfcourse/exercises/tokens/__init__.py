"""Ejercicios de tokenización y embeddings."""

from tfcourse.exercises.tokens.cost import FERTILITY
from tfcourse.exercises.tokens.cutting import BEST_CUT, LONGEST_PIECE
from tfcourse.exercises.tokens.merges import APPLY_MERGES, MERGE
from tfcourse.exercises.tokens.negatives import NEGATIVES
from tfcourse.exercises.tokens.understanding import PAIRS, TABLE

EXERCISES = (PAIRS, TABLE, MERGE, APPLY_MERGES, LONGEST_PIECE, BEST_CUT, NEGATIVES, FERTILITY)
