"""Ejercicios de wav2vec 2.0: aprender del sonido sin etiquetas."""

from tfcourse.bank.unlabelled.contrast import CONTRAST
from tfcourse.bank.unlabelled.few import FEW
from tfcourse.bank.unlabelled.paths import PATHS
from tfcourse.bank.unlabelled.perplexity import PERPLEXITY
from tfcourse.bank.unlabelled.sizes import SIZES
from tfcourse.bank.unlabelled.spans import SPANS

EXERCISES = (SIZES, PATHS, PERPLEXITY, SPANS, CONTRAST, FEW)
