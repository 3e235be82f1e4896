"""Todas las filas del mapa, en el orden del curso, y lo que se puede preguntar de ellas."""

from collections.abc import Sequence

from torch import nn

from tfcourse.course_map import audio, language, multimodal, recurrence, transformer, vision
from tfcourse.course_map.rows import Row

MODULES = (recurrence, transformer, language, vision, audio, multimodal)


def course_rows() -> tuple[Row, ...]:
    """Las filas de los seis bloques, por capítulos."""
    return tuple(row for module in MODULES for row in module.ROWS)


def with_piece(rows: Sequence[Row], piece: type) -> list[Row]:
    """Los modelos que llevan dentro una capa de esa clase, o de una que hereda de ella."""
    return [
        row
        for row in rows
        if isinstance(row.model, nn.Module)
        and any(isinstance(part, piece) for part in row.model.modules())
    ]
