"""Figuras interactivas que se mueven solas en el navegador, sin Python detrás."""

from tfcourse.widgets.alignment import AlignmentExample, AlignmentWidget
from tfcourse.widgets.pieces import PiecesWidget

__all__ = ["AlignmentExample", "AlignmentWidget", "PiecesWidget"]
