"""Ejecutar cuadernos y guardar sus salidas: uno a uno, sin perder nunca lo que ya estaba."""

import shutil
import sys
import tempfile
from pathlib import Path

import nbformat

from tfcourse.files import write_atomically
from workshop.notebooks.budget import HEADER, Measure, save_costs
from workshop.notebooks.cleaning import clean
from workshop.notebooks.process import NOTEBOOK_TIMEOUT, Cost, environment, failure_note, measured

SOURCE_FOLDER = Path(__file__).resolve().parents[2]


def execute(path: Path, profile: str = "rapido", target: Path | None = None) -> Measure:
    """Ejecuta un cuaderno a solas en una carpeta vacía y guarda sus salidas, ya limpias.

    Se guarda en `target` o, si no se da, en el propio cuaderno. El archivo se sustituye de una vez
    al terminar: si algo se interrumpe, queda el anterior.
    Errores: `ValueError` si una celda falla o escribe por la salida de errores, si el cuaderno
    ocupa demasiado o si gasta más del doble de la memoria; `TimeoutError` si no acaba.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copy(path, folder))
        cost = _run(copy, profile)
        notebook = nbformat.read(copy, as_version=4)
    clean(notebook)
    measure = Measure(path, cost.seconds, cost.megabytes, len(nbformat.writes(notebook).encode()))
    if profile == "rapido":
        measure.check()
    write_atomically(target or path, nbformat.writes(notebook) + "\n")
    return measure


def _run(copy: Path, profile: str) -> Cost:
    """Ejecuta la copia en otro proceso. Errores: `ValueError` con lo que falló."""
    cost = measured(
        [sys.executable, "-m", "workshop.notebooks.process", copy.name],
        folder=copy.parent,
        variables=environment(profile, SOURCE_FOLDER),
        limit=NOTEBOOK_TIMEOUT[profile],
    )
    if cost.code:
        note = failure_note(copy)
        raise ValueError(note.read_text(encoding="utf-8") if note.exists() else cost.output)
    return cost


def execute_all(paths: list[Path], profile: str, results: Path | None = None) -> None:
    """Ejecuta varios cuadernos y escribe la tabla de lo que cuestan; si uno falla, sigue.

    Con `results`, las salidas se guardan en esa carpeta en lugar de en los propios cuadernos.
    Errores: `ValueError` si alguno falló, después de intentarlos todos.
    """
    measures, failures = [], []
    for position, path in enumerate(paths, start=1):
        print(f"[{position}/{len(paths)}] {path.stem} …", flush=True)
        try:
            measure = execute(path, profile, results and results / path.name)
        except (ValueError, TimeoutError) as error:
            failures.append(f"{path}: {error}")
            print(failures[-1], flush=True)
        else:
            measures.append(measure)
    print("\n".join(["", HEADER, *(measure.row() for measure in measures)]))
    if profile == "rapido" and not results:
        save_costs(measures)
    if failures:
        raise ValueError(
            f"{len(failures)} de {len(paths)} cuadernos han fallado y conservan sus salidas "
            "anteriores:\n" + "\n".join(failures)
        )
