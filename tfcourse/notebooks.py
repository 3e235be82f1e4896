"""Máquina de cuadernos: los ejecuta a solas, los mide, los limpia y los guarda de una vez."""

import io
import os
import shutil
import tempfile
import time
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

import nbformat

from tfcourse.links import FIRST_CELL_TAGS, first_cell

BUDGET_SECONDS, BUDGET_MEGABYTES, MARGIN = 60, 3_000, 2
MAX_PICTURE, MAX_NOTEBOOK = 100_000, 1_000_000
CELL_TIMEOUT = 600

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Measure:
    """Lo que costó ejecutar un cuaderno."""

    notebook: Path
    seconds: float
    megabytes: float
    size: int

    def row(self) -> str:
        """Una línea de la tabla, con un aviso si se pasa del presupuesto."""
        notice = "" if self.within(1) else "  ← por encima del presupuesto"
        return (
            f"{self.notebook.stem:<45} {self.seconds:7.1f} s {self.megabytes:8.0f} MB "
            f"{self.size / 1000:7.0f} kB{notice}"
        )

    def within(self, margin: float) -> bool:
        """Dice si cabe en el presupuesto multiplicado por `margin`."""
        return (
            self.seconds <= BUDGET_SECONDS * margin and self.megabytes <= BUDGET_MEGABYTES * margin
        )

    def check(self) -> None:
        """Errores: `ValueError` si gasta más del doble del presupuesto."""
        if not self.within(MARGIN):
            raise ValueError(
                f"{self.notebook.name} gasta {self.seconds:.0f} s y {self.megabytes:.0f} MB; el "
                f"presupuesto es {BUDGET_SECONDS} s y {BUDGET_MEGABYTES} MB, y el doble ya es un "
                "fallo: reduce pasos, datos o tamaño"
            )


def book_notebooks(root: Path) -> list[Path]:
    """Cuadernos que nombra `_toc.yml`, en su orden."""
    import yaml

    def files(node):
        if isinstance(node, dict):
            if "file" in node:
                yield node["file"]
            for value in node.values():
                yield from files(value)
        elif isinstance(node, list):
            for item in node:
                yield from files(item)

    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    candidates = [root / f"{name}.ipynb" for name in files(toc)]
    return [path for path in candidates if path.exists()]


def is_exercises(path: Path) -> bool:
    """Dice si un cuaderno es de ejercicios: sus celdas en blanco fallan a propósito."""
    return path.stem.endswith("_ejercicios")


def execute(path: Path, profile: str = "rapido", target: Path | None = None) -> Measure:
    """Ejecuta un cuaderno a solas en una carpeta vacía y guarda sus salidas, ya limpias.

    Se guarda en `target` o, si no se da, en el propio cuaderno. El archivo se
    sustituye de una vez al terminar: si algo se interrumpe, queda el anterior.
    Errores: `nbclient.exceptions.CellExecutionError` si una celda falla; `ValueError` si escribe
    por la salida de errores, ocupa demasiado o se pasa del doble del presupuesto.
    """
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        seconds, megabytes = _run(notebook, folder, profile)
    clean(notebook)
    target = target or path
    _save(notebook, target)
    measure = Measure(path, seconds, megabytes, target.stat().st_size)
    if profile == "rapido":
        measure.check()
    return measure


def _run(notebook, folder: str, profile: str) -> tuple[float, float]:
    from nbclient import NotebookClient

    environment = os.environ | {
        "TFCOURSE_PERFIL": profile,
        "TFCOURSE_PROGRESO": "no",
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": "ignore",
    }
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        store_widget_state=True,
        resources={"metadata": {"path": folder}},
    )
    started, peak = time.perf_counter(), 0.0

    def remember_peak(**_):
        nonlocal peak
        peak = max(peak, _peak_megabytes(client.km.provisioner.pid))

    client.on_cell_executed = remember_peak
    client.execute(env=environment)
    return time.perf_counter() - started, peak


def _peak_megabytes(pid: int) -> float:
    """Memoria máxima de un proceso; solo Linux la cuenta así."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    peak = next((line for line in lines if line.startswith("VmHWM")), "VmHWM: 0 kB")
    return int(peak.split()[1]) / 1000


def clean(notebook) -> None:
    """Deja el cuaderno igual en cada ejecución: sin tiempos, sin azar y con figuras pequeñas.

    Errores: `ValueError` si una celda escribe por la salida de errores o el cuaderno pesa mucho.
    """
    from tfcourse.widgets.stored import stabilize_widgets

    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
        | {k: v for k, v in notebook.metadata.items() if k == "widgets"}
    )
    stabilize_widgets(notebook)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"celda-{number:03d}"
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        _normalise_first_cell(cell)
        for output in cell.outputs:
            _clean_output(output, number)
        cell.outputs = _join_streams(cell.outputs)
    size = len(nbformat.writes(notebook).encode())
    if size > MAX_NOTEBOOK:
        raise ValueError(f"el cuaderno pesa {size / 1e6:.1f} MB y el máximo es 1 MB")


def _normalise_first_cell(cell) -> None:
    if "preparacion" in cell.metadata.get("tags", []):
        cell.source = first_cell()
        cell.metadata["tags"] = list(FIRST_CELL_TAGS)


def _clean_output(output, number: int) -> None:
    if output.output_type == "stream" and output.name == "stderr":
        raise ValueError(
            f"la celda {number} escribe por la salida de errores:\n{output.text[:400]}"
        )
    data = output.get("data", {})
    if "image/png" in data:
        data["image/png"] = b64encode(shrink_png(b64decode(data["image/png"]))).decode()


def _join_streams(outputs: list) -> list:
    """Une lo que la misma celda imprime en varias tandas: el corte depende del reloj."""
    joined = []
    for output in outputs:
        if joined and output.output_type == "stream" == joined[-1].output_type:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def shrink_png(content: bytes, limit: int = MAX_PICTURE) -> bytes:
    """Guarda una figura en menos bytes: con paleta de 256 colores, y más pequeña si hace falta.

    Errores: `ValueError` si ni así cabe.
    """
    from PIL import Image

    picture = Image.open(io.BytesIO(content)).convert("RGB")
    for scale in (1.0, 0.8, 0.6):
        size = [max(1, round(side * scale)) for side in picture.size]
        smaller = picture.resize(size, Image.Resampling.LANCZOS) if scale < 1 else picture
        buffer = io.BytesIO()
        smaller.quantize(256, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
        if buffer.tell() <= limit:
            return buffer.getvalue()
    raise ValueError(f"la figura ocupa {buffer.tell()} bytes y el máximo es {limit}: simplifícala")


def _save(notebook, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".parcial")
    nbformat.write(notebook, unfinished)
    os.replace(unfinished, path)
