"""El proyecto de visión: de los parches a un detector."""

from tfcourse.projects.steps.vision.objects import DETECTOR, OBJECTS
from tfcourse.projects.steps.vision.patches import ATTENTION, BLOCK, INPUT, PATCHES, VIT
from tfcourse.projects.steps.vision.sets import CONVERT, COSTS, GIOU, LOSS, MATCH

STEPS = (
    PATCHES, INPUT, ATTENTION, BLOCK, VIT, OBJECTS, DETECTOR, CONVERT, GIOU, COSTS, MATCH, LOSS,
)  # fmt: skip
