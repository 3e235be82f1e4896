"""Ejercicios de tokenización y embeddings."""

from tfcourse.bank.tokens.bpe import APPLY_MERGES
from tfcourse.bank.tokens.cost import FERTILITY
from tfcourse.bank.tokens.merges import MERGE
from tfcourse.bank.tokens.negatives import NEGATIVES
from tfcourse.bank.tokens.pairs import PAIRS
from tfcourse.bank.tokens.understanding import TABLE
from tfcourse.bank.tokens.unigram import BEST_CUT
from tfcourse.bank.tokens.wordpiece import LONGEST_PIECE

EXERCISES = (PAIRS, TABLE, MERGE, APPLY_MERGES, LONGEST_PIECE, BEST_CUT, NEGATIVES, FERTILITY)
