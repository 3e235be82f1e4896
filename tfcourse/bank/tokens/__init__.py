"""Ejercicios de tokenización."""

from tfcourse.bank.tokens.bpe import APPLY_MERGES
from tfcourse.bank.tokens.cost import FERTILITY
from tfcourse.bank.tokens.gain import GAIN
from tfcourse.bank.tokens.merges import MERGE
from tfcourse.bank.tokens.pairs import PAIRS
from tfcourse.bank.tokens.unigram import BEST_CUTS
from tfcourse.bank.tokens.wordpiece import LONGEST_PIECE

EXERCISES = (PAIRS, MERGE, APPLY_MERGES, GAIN, LONGEST_PIECE, BEST_CUTS, FERTILITY)
