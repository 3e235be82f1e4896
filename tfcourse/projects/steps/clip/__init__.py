"""El proyecto de CLIP: dos torres que se encuentran, y buscar dibujos con palabras."""

from tfcourse.projects.steps.clip.learning import CHUNKS, GRADIENT, LOSS, SIGMOID
from tfcourse.projects.steps.clip.model import CLIP
from tfcourse.projects.steps.clip.pictures import IMAGE, STAGE
from tfcourse.projects.steps.clip.searching import CLASSES, RECALL
from tfcourse.projects.steps.clip.weights import RENAME
from tfcourse.projects.steps.clip.words import ATTENTION, BLOCK, TEXT

STEPS = (
    STAGE, IMAGE, ATTENTION, BLOCK, TEXT, CLIP, RENAME, RECALL, CLASSES, LOSS, GRADIENT, SIGMOID,
    CHUNKS,
)  # fmt: skip
