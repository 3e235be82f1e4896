"""Comparar lo que un cuaderno escribe con lo que guarda, también como lo haría otro procesador.

PyTorch elige sus instrucciones según el procesador, y con otras el último decimal es otro. Las
salidas se guardan cuando dicen lo mismo con todas.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from workshop.notebooks.process import CELL_TIMEOUT, NOTEBOOK_TIMEOUT, Cost, environment, measured

SANITIZE = Path(__file__).resolve().parents[2] / "tests" / "nbval.cfg"
CAPABILITY = "ATEN_CPU_CAPABILITY"
OWN = "el de aquí"
# Procesador que se imita → lo que se pide a PyTorch: las instrucciones que usaría en él.
PROCESSORS = {"default": "default", "avx2": "avx2", OWN: None}
FAILED = re.compile(r"^FAILED .*::Cell (\d+)", re.MULTILINE)
IMPORT = re.compile(r"(import|from) ")
SHOWN = 60
# Arrancar así, sin los demás complementos de pytest, ahorra segundos en cada cuaderno. Casi dos son
# de jsonschema, que al importarse prepara con esa biblioteca 38 gramáticas de direcciones de la
# red, y aquí no se mira ninguna: si no la encuentra, sigue sin ella.
PYTEST = "import sys; sys.modules['rfc3987_syntax'] = None; import pytest; sys.exit(pytest.main())"


@dataclass(frozen=True)
class Difference:
    """Una celda que en ese procesador falla o escribe otra cosa."""

    notebook: Path
    processor: str
    cell: int
    source: str

    def __str__(self) -> str:
        return f"{self.notebook.stem}, celda {self.cell}, con «{self.processor}»: {self.source}"


def run_nbval(copy: Path, variables: dict[str, str], limit: float, exact: bool = True) -> Cost:
    """Ejecuta un cuaderno con nbval, que compara sus salidas con las guardadas si es `exact`.

    Errores: `TimeoutError` si no acaba en `limit` segundos.
    """
    command = [sys.executable, "-c", PYTEST, "-q", "-p", "no:cacheprovider", "-p", "nbval.plugin"]
    command += ["--nbval" if exact else "--nbval-lax", "--nbval-current-env", copy.name]
    command += [f"--nbval-cell-timeout={CELL_TIMEOUT}", f"--nbval-sanitize-with={SANITIZE}"]
    variables = variables | {"PYTHONWARNINGS": "ignore", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return measured(command, folder=copy.parent, variables=variables, limit=limit)


def processor_variables(processor: str) -> dict[str, str]:
    """Las variables con las que corre un cuaderno como lo haría en ese procesador.

    Errores: `ValueError` si no es ninguno de los que se imitan.
    """
    if processor not in PROCESSORS:
        raise ValueError(f"no se imita «{processor}»: usa {', '.join(PROCESSORS)}")
    variables = environment("rapido", SANITIZE.parents[1])
    variables.pop(CAPABILITY, None)
    asked = PROCESSORS[processor]
    return variables | ({CAPABILITY: asked} if asked else {})


def differences(path: Path, processor: str) -> list[Difference]:
    """Celdas de un cuaderno que en ese procesador no dicen lo que hay guardado.

    Errores: `ValueError` si no llega a ejecutarse; `TimeoutError` si no acaba.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copy(path, folder))
        cost = run_nbval(copy, processor_variables(processor), NOTEBOOK_TIMEOUT["rapido"])
    failed = [int(number) for number in FAILED.findall(cost.output)]
    if cost.code and not failed:
        raise ValueError(f"{path.name} no se ha podido ejecutar:\n{cost.output[-2000:]}")
    cells = nbformat.read(path, as_version=4).cells
    code = [(place, cell) for place, cell in enumerate(cells, start=1) if cell.cell_type == "code"]
    return [
        Difference(path, processor, code[number][0], _first_line(code[number][1].source))
        for number in failed
    ]


def _first_line(source: str) -> str:
    """La primera línea que dice algo de una celda."""
    says = (line for line in source.splitlines() if line and not IMPORT.match(line))
    return next(says, "")[:SHOWN]


def compare_all(paths: Sequence[Path], processors: Sequence[str]) -> list[Difference]:
    """Compara varios cuadernos en cada procesador, y va diciendo lo que encuentra."""
    found = []
    for position, path in enumerate(paths, start=1):
        for processor in processors:
            print(f"[{position}/{len(paths)}] {path.stem}, con «{processor}» …", flush=True)
            new = differences(path, processor)
            found += new
            for difference in new:
                print(f"  {difference}", flush=True)
    return found
