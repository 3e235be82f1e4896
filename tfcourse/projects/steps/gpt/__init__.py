"""El proyecto de GPT: de la norma a un modelo que escribe en español."""

from tfcourse.projects.steps.gpt.learning import LOSS, TRAINER
from tfcourse.projects.steps.gpt.pieces import ATTENTION, BLOCK, FEED_FORWARD, MODEL, NORM, ROTATION
from tfcourse.projects.steps.gpt.weights import RENAME
from tfcourse.projects.steps.gpt.writing import BEAM, CACHE, SAMPLER

STEPS = (
    NORM, ROTATION, ATTENTION, FEED_FORWARD, BLOCK, MODEL, RENAME, LOSS, TRAINER, SAMPLER, CACHE,
    BEAM,
)  # fmt: skip
