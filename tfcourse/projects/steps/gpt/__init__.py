"""El proyecto de GPT: de la norma a un modelo que escribe en español."""

from tfcourse.projects.steps.gpt.learning import LOSS, TRAINER
from tfcourse.projects.steps.gpt.model import BLOCK, MODEL
from tfcourse.projects.steps.gpt.pieces import ATTENTION, FEED_FORWARD, NORM, ROTATION
from tfcourse.projects.steps.gpt.searching import BEAM
from tfcourse.projects.steps.gpt.weights import RENAME
from tfcourse.projects.steps.gpt.writing import CACHE, SAMPLER

STEPS = (
    NORM, ROTATION, ATTENTION, FEED_FORWARD, BLOCK, MODEL, RENAME, LOSS, TRAINER, SAMPLER, CACHE,
    BEAM,
)  # fmt: skip
