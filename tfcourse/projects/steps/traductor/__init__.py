"""El proyecto del traductor con atención: de la celda al mapa de lo que mira."""

from tfcourse.projects.steps.traductor.attending import ATTENTION, DECODER, MODEL
from tfcourse.projects.steps.traductor.learning import LOSS, RENAME, TRAINER
from tfcourse.projects.steps.traductor.pieces import ENCODER, GRU, UNROLL
from tfcourse.projects.steps.traductor.writing import GREEDY, MAP, SEARCH

STEPS = (
    GRU, UNROLL, ENCODER, ATTENTION, DECODER, MODEL, RENAME, LOSS, TRAINER, GREEDY, SEARCH, MAP,
)  # fmt: skip
