"""Ejercicios de tokenización y embeddings."""

from tfcourse.exercises.tokens.bpe import APPLY_MERGES
from tfcourse.exercises.tokens.cost import FERTILITY
from tfcourse.exercises.tokens.merges import MERGE
from tfcourse.exercises.tokens.negatives import NEGATIVES
from tfcourse.exercises.tokens.pairs import PAIRS
from tfcourse.exercises.tokens.understanding import TABLE
from tfcourse.exercises.tokens.unigram import BEST_CUT
from tfcourse.exercises.tokens.wordpiece import LONGEST_PIECE

EXERCISES = (PAIRS, TABLE, MERGE, APPLY_MERGES, LONGEST_PIECE, BEST_CUT, NEGATIVES, FERTILITY)
