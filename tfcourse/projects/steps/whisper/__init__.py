"""El proyecto del Whisper: de la onda a lo que se ha dicho."""

from tfcourse.projects.steps.whisper.errors import WER
from tfcourse.projects.steps.whisper.hearing import FILTERS, INPUT, LOG_MEL, POWER
from tfcourse.projects.steps.whisper.looking import ATTENTION, DECODER, ENCODER
from tfcourse.projects.steps.whisper.model import MODEL
from tfcourse.projects.steps.whisper.writing import GREEDY, LOSS, RENAME

STEPS = (
    POWER, FILTERS, LOG_MEL, INPUT, ATTENTION, ENCODER, DECODER, MODEL, RENAME, LOSS, GREEDY, WER,
)  # fmt: skip
