"""Ejercicios de atención eficiente."""

from tfcourse.bank.efficient.changes import CHANGES
from tfcourse.bank.efficient.distance import BY_DISTANCE
from tfcourse.bank.efficient.how_many import HOW_MANY
from tfcourse.bank.efficient.keys import KEYS_SEEN
from tfcourse.bank.efficient.layers import LAYERS_NEEDED
from tfcourse.bank.efficient.recall import RECALL

EXERCISES = (KEYS_SEEN, LAYERS_NEEDED, HOW_MANY, RECALL, CHANGES, BY_DISTANCE)
