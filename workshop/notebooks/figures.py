"""El código de las figuras guardadas: cada cuaderno lleva una copia, que tiene que ser la de ahora.

Cambiar un guion o una hoja de estilo no cambia lo que calcula ningún capítulo: se renueva la copia
sin volver a ejecutarlo.
"""

import importlib
from pathlib import Path

import nbformat

from tfcourse.widgets.base import CourseWidget
from tfcourse.widgets.stored import STATE_MIME

CODE = ("_esm", "_css")


def figure_kind(state: dict) -> type[CourseWidget] | None:
    """La clase del curso que hizo una figura guardada; ninguna, si no es del curso."""
    module, _, name = state.get("_anywidget_id", "").rpartition(".")
    if not module.startswith("tfcourse."):
        return None
    return getattr(importlib.import_module(module), name)


def old_figures(notebook) -> list[tuple[dict, type[CourseWidget]]]:
    """El estado y la clase de las figuras que llevan un código que ya no es el del paquete."""
    models = notebook.metadata.get("widgets", {}).get(STATE_MIME, {}).get("state", {})
    states = [model["state"] for model in models.values()]
    found = [(state, kind) for state in states if (kind := figure_kind(state))]
    return [
        (state, kind)
        for state, kind in found
        if any(state.get(part) != getattr(kind, part) for part in CODE)
    ]


def check_figures(notebooks: list[Path]) -> list[str]:
    """Qué cuadernos guardan una figura con un código que ya es otro."""
    return [
        f"{path}: {kind.__name__} lleva un código que ya no es el del paquete"
        for path in notebooks
        for _, kind in old_figures(nbformat.read(path, as_version=4))
    ]


def write_figures(notebooks: list[Path]) -> list[Path]:
    """Pone en cada figura guardada el código de ahora; devuelve los cuadernos que cambian."""
    changed = []
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        if old := old_figures(notebook):
            for state, kind in old:
                state.update({part: getattr(kind, part) for part in CODE})
            nbformat.write(notebook, path)
            changed.append(path)
    return changed
