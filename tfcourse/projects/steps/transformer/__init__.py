"""El proyecto del Transformer: de la norma a un traductor."""

from tfcourse.projects.steps.transformer.blocks import DECODER, ENCODER, MODEL
from tfcourse.projects.steps.transformer.learning import GREEDY, LOSS, RATE, RENAME
from tfcourse.projects.steps.transformer.pieces import (
    ATTENTION,
    FEED_FORWARD,
    MASKS,
    NORM,
    POSITIONS,
)

STEPS = (
    NORM, POSITIONS, MASKS, ATTENTION, FEED_FORWARD, ENCODER, DECODER, MODEL, RENAME, LOSS, RATE,
    GREEDY,
)  # fmt: skip
