"""Ejercicios de atención eficiente."""

from tfcourse.bank.efficient.distance import BY_DISTANCE
from tfcourse.bank.efficient.features import FEATURES
from tfcourse.bank.efficient.keys import KEYS_SEEN
from tfcourse.bank.efficient.layers import LAYERS_NEEDED
from tfcourse.bank.efficient.parts import PARTS
from tfcourse.bank.efficient.sharing import DIVERGENCE
from tfcourse.bank.efficient.window import WINDOW

EXERCISES = (KEYS_SEEN, LAYERS_NEEDED, PARTS, WINDOW, FEATURES, DIVERGENCE, BY_DISTANCE)
