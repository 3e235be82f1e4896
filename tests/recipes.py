"""Las recetas de los capítulos: el código que enseña la página, ejecutado con otras semillas."""

import ctypes
import os
import sys
from pathlib import Path

import nbformat

from tests.conftest import CHAPTER_TABLE, ROOT

# La página ya corre con la semilla 0, y su prueba la ejecuta: en cada cambio basta otra.
# Cada noche, con TFCOURSE_SEMILLAS=5, van todas.
N_SEEDS = int(os.environ.get("TFCOURSE_SEMILLAS", "1"))
SEEDS = range(N_SEEDS) if N_SEEDS > 1 else (1,)


def as_if_just_started() -> None:
    """Deja las voces sintéticas como al empezar un proceso, que es como las oye la página.

    Dos timbres de eSpeak NG toman su ruido del azar de la biblioteca de C, que nadie siembra: lo
    que se hubiera dicho antes en este proceso cambiaría lo que se va a decir.
    """
    ctypes.CDLL(None).srand(1)
    for name, module in list(sys.modules.items()):
        if name.startswith("tfcourse.datasets"):
            for value in vars(module).values():
                getattr(value, "cache_clear", lambda: None)()


def recipe_sources(path: str) -> list[str]:
    """El código de las celdas «receta» de un cuaderno."""
    notebook = nbformat.read(ROOT / "chapters" / path, as_version=4)
    found = [c.source for c in notebook.cells if "receta" in c.metadata.get("tags", [])]
    assert found, f"{path} no tiene celdas con la etiqueta «receta»"
    return found


def recipe(path: str) -> dict:
    """Espacio de nombres que dejan, ejecutadas tal cual, las celdas «receta» de un cuaderno."""
    as_if_just_started()
    names = {}
    for source in recipe_sources(path):
        exec(compile(source, path, "exec"), names)
    return names


def report(seed: int, measured: str) -> None:
    """Añade lo medido, con el capítulo de la prueba en marcha, a la tabla que sale al final."""
    chapter = Path(os.environ["PYTEST_CURRENT_TEST"].split("::")[0]).stem.removeprefix("test_")
    CHAPTER_TABLE.append(f"{chapter}, semilla {seed}: {measured}")
