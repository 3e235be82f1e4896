"""Ejercicios de imagen y texto: las parejas de un lote, la entrada de MMBT y la pérdida de CLIP."""

from tfcourse.bank.pictures.entering import ENTERING
from tfcourse.bank.pictures.pairing import PAIRING
from tfcourse.bank.pictures.pairs import PAIRS

EXERCISES = (PAIRS, ENTERING, PAIRING)
