"""Ejercicios de atención eficiente."""

from tfcourse.exercises.efficient.distance import BY_DISTANCE
from tfcourse.exercises.efficient.features import FEATURES
from tfcourse.exercises.efficient.keys import KEYS_SEEN
from tfcourse.exercises.efficient.layers import LAYERS_NEEDED
from tfcourse.exercises.efficient.parts import PARTS
from tfcourse.exercises.efficient.sharing import DIVERGENCE
from tfcourse.exercises.efficient.window import WINDOW

EXERCISES = (KEYS_SEEN, LAYERS_NEEDED, PARTS, WINDOW, FEATURES, DIVERGENCE, BY_DISTANCE)
