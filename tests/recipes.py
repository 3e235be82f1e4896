"""Las recetas de los capítulos: el código que enseña la página, ejecutado con otras semillas."""

import os

import nbformat

from tests.conftest import CHAPTER_TABLE, ROOT

# La página ya corre con la semilla 0, y su prueba la ejecuta: en cada cambio basta otra.
# Cada noche, con TFCOURSE_SEMILLAS=5, van todas.
N_SEEDS = int(os.environ.get("TFCOURSE_SEMILLAS", "1"))
SEEDS = range(N_SEEDS) if N_SEEDS > 1 else (1,)


def recipe(path: str) -> dict:
    """Espacio de nombres que dejan, ejecutadas tal cual, las celdas «receta» de un cuaderno."""
    notebook = nbformat.read(ROOT / "chapters" / path, as_version=4)
    cells = [c for c in notebook.cells if "receta" in c.metadata.get("tags", [])]
    assert cells, f"{path} no tiene celdas con la etiqueta «receta»"
    names = {}
    for cell in cells:
        exec(compile(cell.source, path, "exec"), names)
    return names


def report(chapter: str, seed: int, measured: str) -> None:
    """Añade lo medido a la tabla que se escribe al final de las pruebas."""
    CHAPTER_TABLE.append(f"{chapter}, semilla {seed}: {measured}")
