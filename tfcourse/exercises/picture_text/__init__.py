"""Ejercicios de imagen y texto: las parejas de un lote, la entrada de MMBT y la pérdida de CLIP."""

from tfcourse.exercises.picture_text.entering import ENTERING
from tfcourse.exercises.picture_text.pairing import PAIRING
from tfcourse.exercises.picture_text.pairs import PAIRS

EXERCISES = (PAIRS, ENTERING, PAIRING)
