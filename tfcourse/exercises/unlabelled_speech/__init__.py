"""Ejercicios de wav2vec 2.0: aprender del sonido sin etiquetas."""

from tfcourse.exercises.unlabelled_speech.contrast import CONTRAST
from tfcourse.exercises.unlabelled_speech.few import FEW
from tfcourse.exercises.unlabelled_speech.paths import PATHS
from tfcourse.exercises.unlabelled_speech.perplexity import PERPLEXITY
from tfcourse.exercises.unlabelled_speech.sizes import SIZES
from tfcourse.exercises.unlabelled_speech.spans import SPANS

EXERCISES = (SIZES, PATHS, PERPLEXITY, SPANS, CONTRAST, FEW)
