"""Lo que hacen las órdenes de los experimentos a escala real: enumerar, medir y ensayar."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from unittest.mock import patch

from tfcourse.profile import PROFILE_VARIABLE
from tfcourse.stored.full import FullRun, output_folder, run_full, table_text
from workshop.rehearsal.registry import rehearsal_environment


def list_runs(runs: Iterable[FullRun]) -> str:
    """Un experimento por línea: su nombre y qué mide."""
    return "\n".join(f"{run.name}: {run.title}" for run in sorted(runs, key=lambda r: r.name))


def measure_run(run: FullRun) -> None:
    """Mide un experimento, guarda su tabla y la escribe. Errores: los de `run_full`."""
    with patch.dict(os.environ, {PROFILE_VARIABLE: "completo"}):
        print(table_text(run, run_full(run)))
    print(f"guardada en {output_folder() / run.name}.json")


def rehearse_run(run: FullRun) -> None:
    """Recorre un experimento con conjuntos diminutos en una carpeta que luego se borra."""
    with tempfile.TemporaryDirectory() as name:
        environment = dict(rehearsal_environment(run, Path(name)))
        with patch.dict(os.environ, environment):
            rows = run_full(run)
    print(f"{run.name}: ensayado, {len(rows)} filas")
