"""Base de las figuras interactivas del curso.

Cada figura es un `anywidget` con un módulo de JavaScript sin dependencias: el código común
(`shared.js`) seguido del propio. El mismo módulo corre en JupyterLab, en Colab y en la página
estática, donde no hay ningún proceso de Python detrás.
"""

import json
from pathlib import Path

import anywidget

MAX_STATE_BYTES = 200_000

_FOLDER = Path(__file__).parent


def module_source(*names: str) -> str:
    """Módulo de JavaScript de una figura: lo común y sus archivos propios, en un solo texto."""
    return _joined("shared.js", *names)


def style_source(*names: str) -> str:
    """Hoja de estilo de una figura: paleta del curso, controles comunes y lo propio."""
    return _joined("palette.css", "shared.css", *names)


def _joined(*names: str) -> str:
    return "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in names)


def check_state_size(state: object) -> None:
    """Comprueba que los datos de la figura caben en la página.

    Raises:
        ValueError: si, escritos como JSON, pasan de `MAX_STATE_BYTES`.
    """
    size = len(json.dumps(state, ensure_ascii=False).encode("utf-8"))
    if size > MAX_STATE_BYTES:
        raise ValueError(
            f"los datos de la figura ocupan {size / 1000:.0f} kB y el límite es "
            f"{MAX_STATE_BYTES / 1000:.0f} kB: pasa menos ejemplos o secuencias más cortas"
        )


class CourseWidget(anywidget.AnyWidget):
    """Figura interactiva del curso, con una representación de texto que no cambia.

    La de `anywidget` contiene una dirección de memoria; en un cuaderno guardado haría distinta
    cada ejecución. Las subclases definen `summary`.
    """

    def summary(self) -> str:
        """Lo que contiene la figura, en pocas palabras."""
        raise NotImplementedError("cada figura define su resumen con `summary`")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.summary()})"
