"""Ejercicios de imagen y texto: las parejas de un lote, MMBT, y las pérdidas de CLIP y SigLIP."""

from tfcourse.bank.pictures.bias import BIAS
from tfcourse.bank.pictures.entering import ENTERING
from tfcourse.bank.pictures.pairing import PAIRING
from tfcourse.bank.pictures.pairs import PAIRS
from tfcourse.bank.pictures.squares import SQUARES
from tfcourse.bank.pictures.wording import WORDING

EXERCISES = (PAIRS, ENTERING, PAIRING, BIAS, SQUARES, WORDING)
