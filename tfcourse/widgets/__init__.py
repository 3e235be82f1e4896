"""Figuras interactivas que se mueven solas en el navegador, sin Python detrás."""

from tfcourse.widgets.alignment import AlignmentExample, AlignmentWidget

__all__ = ["AlignmentExample", "AlignmentWidget"]
