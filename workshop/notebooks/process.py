"""Un cuaderno en su propio proceso: a solas, con el mismo entorno siempre, y medido.

El proceso hijo (`python -m workshop.notebooks.process cuaderno.ipynb`) ejecuta las celdas; el padre
mide lo que gastó, con el núcleo de Jupyter incluido, y lo para si se atasca o si se interrumpe.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

CELL_TIMEOUT = 600
NOTEBOOK_TIMEOUT = {"rapido": 900, "completo": 12 * 3600}
LAUNCHER = Path(__file__).with_name("launcher.py")
MAXRSS_UNITS = 1 if sys.platform == "darwin" else 1024  # macOS cuenta bytes; Linux, kibibytes

# Variables de quien llama que cambiarían lo que hace el cuaderno o la prueba.
FOREIGN_VARIABLES = ("PYTEST_", "COV_", "PYTHONSTARTUP", "MPLBACKEND", "JAXTYPING_")


@dataclass(frozen=True)
class Cost:
    """Lo que gastó un proceso y todos los que lanzó."""

    seconds: float
    megabytes: float
    code: int
    output: str


def environment(profile: str, python_path: Path) -> dict[str, str]:
    """Variables con las que corre un cuaderno: iguales en todas partes."""
    own = {name: v for name, v in os.environ.items() if not name.startswith(FOREIGN_VARIABLES)}
    return own | {
        "TFCOURSE_PERFIL": profile,
        "TFCOURSE_PROGRESO": "no",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(python_path),
        "PYTHONUTF8": "1",
    }


def measured(command: list[str], *, folder: Path, variables: dict, limit: float) -> Cost:
    """Ejecuta una orden en `folder` y mide segundos y memoria, también de sus hijos.

    Los segundos son los de reloj o los de CPU, lo que sea menos: lo que tardaría en un equipo que
    no hiciera otra cosa. Errores: `TimeoutError` si pasa de `limit` segundos.
    """
    with tempfile.TemporaryDirectory() as scratch:
        log, report = Path(scratch, "salida.log"), Path(scratch, "gasto.json")
        started = time.perf_counter()
        with log.open("w", encoding="utf-8") as output:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(LAUNCHER), str(report), *command],
                cwd=folder,
                env=variables | {"IPYTHONDIR": scratch},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            _wait(process, limit)
        elapsed = time.perf_counter() - started
        spent = json.loads(report.read_text(encoding="utf-8"))
        return Cost(
            seconds=min(elapsed, spent["cpu"]),
            megabytes=spent["memory"] * MAXRSS_UNITS / 1e6,
            code=os.waitstatus_to_exitcode(spent["status"]),
            output=log.read_text(encoding="utf-8"),
        )


def _wait(process: subprocess.Popen, limit: float) -> None:
    """Espera a que acabe; si se pasa de tiempo o se interrumpe, para el grupo entero."""
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        _stop(process)
        process.wait()
        raise TimeoutError(f"lleva más de {limit:.0f} s sin terminar: se ha parado") from None
    except BaseException:
        _stop(process)
        raise


def _stop(process: subprocess.Popen) -> None:
    """Para el proceso y los que haya lanzado."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run_cells(path: Path) -> None:
    """Ejecuta las celdas de un cuaderno y guarda en él lo que escriben.

    Si una se rompe, deja escrito qué pasó en el archivo de `failure_note` y no guarda nada.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    notebook = nbformat.read(path, as_version=4)
    number = 0

    def remember(cell_index, **_):
        nonlocal number
        number = cell_index + 1

    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        store_widget_state=True,
        coalesce_streams=True,
        on_cell_start=remember,
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellTimeoutError:
        failure = f"la celda {number} lleva más de {CELL_TIMEOUT} s: se ha parado"
    except CellExecutionError as error:
        failure = f"la celda {number} falla: {error.ename}: {error.evalue}"
    else:
        nbformat.write(notebook, path)
        return
    failure_note(path).write_text(failure, encoding="utf-8")
    sys.exit(1)


def failure_note(path: Path) -> Path:
    """Archivo donde queda escrito por qué falló un cuaderno: la salida trae otros avisos."""
    return path.with_suffix(".fallo")


if __name__ == "__main__":
    run_cells(Path(sys.argv[1]).resolve())
