"""Un cuaderno de principio a fin en un dispositivo: qué celdas fallan, y por qué.

Cada uno corre en un proceso que nace de otro con las bibliotecas ya cargadas: no comparten nada y
no se paga importarlas cada vez.
"""

import ast
import contextlib
import gc
import io
import multiprocessing
import os
import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ipywidgets
import nbformat
from ipywidgets import Checkbox, FloatLogSlider, Text

from tfcourse.exercises.markers import BEGIN_SOLUTION, solved
from workshop.notebooks.book import is_project

ROOT = Path(__file__).resolve().parents[2]
# El bucle de un capítulo que entrena a mano, sin `fit`; su curva es la media de cada 50 pasos.
OWN_LOOP = "zip(range(steps), batches"
# Lo que un cuaderno lee de un texto sin pasar por `stream_windows`.
OWN_READS = re.compile(r"\b((?:train|test)_(?:ids|text)\[):\d+0_000\]")
LIMIT = 900  # segundos, para que un cuaderno atascado no pare a los demás
OWN_STEPS = re.compile(r"^n_steps = \d+$", re.MULTILINE)
_SERVER = multiprocessing.get_context("forkserver")


@dataclass(frozen=True)
class Failure:
    """Una celda que falla: cuál, con qué error y en qué líneas."""

    cell: int
    error: str
    message: str
    where: str

    def __str__(self):
        return f"celda {self.cell}: {self.error}: {self.message} ({self.where})"

    def same_as(self, other: "Failure") -> bool:
        """Si es el mismo fallo, aunque los números que dice cambien."""
        return (self.cell, self.error, _plain(self.message)) == (
            other.cell, other.error, _plain(other.message),
        )  # fmt: skip


def _plain(message: str) -> str:
    return re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", message)


@dataclass(frozen=True)
class Run:
    """Lo que dejó un cuaderno: sus fallos, los de sus paneles y los segundos de procesador."""

    failures: tuple[Failure, ...]
    panels: tuple[str, ...]
    seconds: float


def run_notebook(path: Path, folder: Path, *, device: str, precision: str = "no") -> Run:
    """Ejecuta el cuaderno en otro proceso, en `folder`, con los entrenamientos cortados.

    `device` es «acelerador» o «cpu». Errores: `TimeoutError` si no acaba; `RuntimeError` si el
    proceso muere.
    """
    here, there = _SERVER.Pipe(duplex=False)
    options = (str(path), str(folder), device, precision, there)
    process = _SERVER.Process(target=_run_here, args=options)
    process.start()
    there.close()
    try:
        if not here.poll(LIMIT):
            raise TimeoutError(f"{path.name} lleva más de {LIMIT} s en «{device}»: se ha parado")
        return here.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"{path.name}: su proceso ha muerto ({process.exitcode})") from None
    finally:
        process.kill()
        process.join()


def only_there(failures, elsewhere) -> list[Failure]:
    """Los fallos que no se dan igual en otro dispositivo."""
    return [f for f in failures if not any(f.same_as(other) for other in elsewhere)]


def _run_here(path: str, folder: str, device: str, precision: str, pipe) -> None:
    import time

    import torch

    from tests.accelerator.pretend import accelerator_device, cut_trainings, use_device

    os.chdir(folder)
    os.environ["PYTHONPATH"] = str(ROOT)  # para los procesos que lance el cuaderno
    torch.set_num_threads(1)
    where = accelerator_device() if device == "acelerador" else torch.device("cpu")
    use_device(setattr, where, precision)
    cut_trainings(setattr)
    started = time.process_time()
    failures = tuple(_failures(cells(Path(path))))
    panels = tuple(panel_failures())
    pipe.send(Run(failures, panels, time.process_time() - started))
    pipe.close()


def cells(path: Path) -> list[tuple[int, str, bool]]:
    """De cada celda de código, su lugar, lo que dice y si falla a propósito.

    En un cuaderno maestro, con la solución puesta; en el de un proyecto, que trae su bucle, con los
    pasos de `n_steps` recortados; los del bucle de un capítulo y lo que lee de un texto, también.
    """
    found = []
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "code":
            source = solved(cell.source) if BEGIN_SOLUTION in cell.source else cell.source
            if is_project(path):
                source = OWN_STEPS.sub("n_steps = 2", source)
            source = source.replace(OWN_LOOP, "zip(range(min(50, steps)), batches")
            if "_ids[:" in source:
                source = OWN_READS.sub(r"\1:1_000]", source)
            found.append((number, source, "raises-exception" in cell.metadata.get("tags", [])))
    return found


def _failures(code: list[tuple[int, str, bool]]):
    import matplotlib.pyplot as plt
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.ast_transformers.append(Tolerant())
    for number, source, on_purpose in code:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            result = shell.run_cell(source, store_history=False)
            plt.close("all")
        error = result.error_before_exec or result.error_in_exec
        if error is not None and not (on_purpose and not of_device(error)):
            yield Failure(number, type(error).__name__, _first_line(error), _where(error))


def panel_failures() -> Iterator[str]:
    """Mueve los mandos de cada panel que sigue vivo: ni errores, ni mandos que no cambien nada."""
    from tfcourse.widgets import Panel

    for panel in [found for found in gc.get_objects() if isinstance(found, Panel)]:
        for name, control in panel.controls.items():
            before = panel.picture
            control.value = another_value(control)
            if panel.error:
                yield f"«{name}» en {control.value!r}: {panel.error}"
            elif panel.picture == before:
                yield f"«{name}» en {control.value!r}: no cambia nada"
            panel.reset()


def another_value(control: ipywidgets.ValueWidget) -> object:
    """Un valor de los que admite el mando, distinto del de ahora: de una lista, el último."""
    if isinstance(control, Checkbox):
        return not control.value
    if isinstance(control, Text):
        return control.value + control.value[:1]
    if hasattr(control, "options"):
        values = [option[1] if isinstance(option, tuple) else option for option in control.options]
        return next(value for value in reversed(values) if value != control.value)
    ends = (control.min, control.max)
    if isinstance(control, FloatLogSlider):
        ends = tuple(control.base**end for end in ends)
    return max(ends, key=lambda end: abs(end - control.value))


class Tolerant(ast.NodeTransformer):
    """Los `assert` se calculan pero no se exigen: con dos pasos no se aprende nada."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """`assert x` → `if x: pass`: sigue pidiendo a `x` que diga si es verdad."""
        return ast.copy_location(ast.If(node.test, [ast.Pass()], []), node)


_DEVICE_WORDS = re.compile(
    r"same device|indices should be|to numpy|device type for generator|backend|bfloat16"
    r"|dtypes? match|device' do not match",
    re.IGNORECASE,
)


def of_device(error: BaseException) -> bool:
    """Si un error es de los de mezclar dispositivos o tipos."""
    return bool(_DEVICE_WORDS.search(str(error)))


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else ""


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        f"{Path(f.filename).name if 'tfcourse' in f.filename else 'celda'}:{f.lineno} {f.line}"
        for f in frames
        if "/tfcourse/" in f.filename or "ipython-input" in f.filename or f.filename == "<string>"
    ]
    return " → ".join(ours[-4:])
