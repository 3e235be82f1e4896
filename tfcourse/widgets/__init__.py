"""Figuras interactivas que se mueven solas en el navegador, sin Python detrás."""

from tfcourse.widgets.alignment import AlignmentExample, AlignmentWidget
from tfcourse.widgets.finding import FindingWidget
from tfcourse.widgets.gallery import GalleryWidget
from tfcourse.widgets.heads import HeadsExample, HeadsWidget
from tfcourse.widgets.live import (
    BalancingWidget,
    DetectingWidget,
    FillingWidget,
    LiveWidget,
    TasksWidget,
    TranslatingWidget,
    WritingWidget,
)
from tfcourse.widgets.live_pictures import (
    AskingWidget,
    FormingWidget,
    HandwritingWidget,
    PosingWidget,
    SegmentingWidget,
    TellingWidget,
)
from tfcourse.widgets.live_sounds import SeparatingWidget, TranscribingWidget
from tfcourse.widgets.matching import MatchingBox, MatchingWidget
from tfcourse.widgets.merges import MergesWidget
from tfcourse.widgets.panel import Panel
from tfcourse.widgets.patches import PatchesWidget, PatchExample, PatchReading
from tfcourse.widgets.pieces import PiecesWidget
from tfcourse.widgets.positions import PositionsWidget
from tfcourse.widgets.sampling import SamplingWidget
from tfcourse.widgets.sharpness import SharpnessWidget
from tfcourse.widgets.sounds import SoundWidget
from tfcourse.widgets.weighted_sum import WeightedSumWidget

__all__ = [
    "AlignmentExample",
    "AlignmentWidget",
    "AskingWidget",
    "BalancingWidget",
    "DetectingWidget",
    "FillingWidget",
    "FindingWidget",
    "FormingWidget",
    "GalleryWidget",
    "HandwritingWidget",
    "HeadsExample",
    "HeadsWidget",
    "LiveWidget",
    "MatchingBox",
    "MatchingWidget",
    "MergesWidget",
    "Panel",
    "PatchExample",
    "PatchReading",
    "PatchesWidget",
    "PiecesWidget",
    "PosingWidget",
    "PositionsWidget",
    "SamplingWidget",
    "SegmentingWidget",
    "SeparatingWidget",
    "SharpnessWidget",
    "SoundWidget",
    "TasksWidget",
    "TellingWidget",
    "TranscribingWidget",
    "TranslatingWidget",
    "WeightedSumWidget",
    "WritingWidget",
]
