"""Los experimentos de `completo`: qué datos piden, qué miden y la tabla que dejan.

Cada cuarto declara los suyos en `full.py`, en `RUNS`. Aquí está lo común: se corren solo en el
perfil `completo`, guardan puntos de control y una tabla, y lo que no se ha medido lo dicen.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tfcourse.profile import profile, rehearsing
from tfcourse.stored.results import FOLDER, load_conditions, load_results, save_results

STORED = FOLDER / "completo"  # las tablas que vienen con el curso
OUTPUT_VARIABLE = "TFCOURSE_SALIDA"


class MissingData(FileNotFoundError):
    """Falta un conjunto público, y nadie ha dicho dónde está."""


@dataclass(frozen=True)
class Source:
    """Un conjunto público: cómo se llama, dónde está su ficha, con qué licencia y cuánto ocupa.

    Si no se descarga solo, `variable` es la variable de entorno que dice en qué carpeta está.
    """

    name: str
    page: str
    licence: str
    gigabytes: float
    variable: str = ""

    def folder(self) -> Path:
        """La carpeta que dice su variable.

        Errores: `MissingData` si la variable no está; `FileNotFoundError` si no es una carpeta.
        """
        path = os.environ.get(self.variable, "")
        if not path:
            raise MissingData(
                f"falta {self.name} ({self.gigabytes:g} GB): descárgalo de {self.page} y di en qué "
                f"carpeta está con {self.variable}=…"
            )
        if not Path(path).is_dir():
            raise FileNotFoundError(
                f"{self.variable}={path} no es una carpeta: tiene que ser la de {self.name}"
            )
        return Path(path)


@dataclass(frozen=True)
class FullRun:
    """Un experimento a escala real: entrena con datos públicos y mide con su parte de evaluar.

    `settings` es su receta, una `dataclass`, y `rehearsal`, la misma en diminuto, para ensayarla.
    `measure(receta, carpeta)` entrena, con sus puntos de control en la carpeta, y devuelve las
    filas de la tabla. `gpu_gigabytes` y `hours` son lo que se espera que pida en una GPU. Con
    `trains` falso solo se mide lo que otros entrenaron, sin puntos de control.
    """

    name: str
    title: str
    sources: Sequence[Source]
    settings: Any
    rehearsal: Any
    measure: Callable[[Any, Path], list[dict]]
    gpu_gigabytes: float
    hours: float
    trains: bool = True

    @property
    def recipe(self) -> Any:
        """La receta que toca: la entera o, si se ensaya, la diminuta."""
        return self.rehearsal if rehearsing() else self.settings


def output_folder() -> Path:
    """Dónde deja `completo` sus tablas y sus puntos de control: `TFCOURSE_SALIDA` o `completo`."""
    return Path(os.environ.get(OUTPUT_VARIABLE) or "completo")


def run_full(run: FullRun) -> list[dict]:
    """Mide el experimento y guarda su tabla; si se corta, al volver sigue donde estaba.

    Los puntos de control se quedan hasta que la tabla está entera: otra medida empieza de cero.
    Errores: los de leer sus datos y los de `fit`.
    """
    folder = output_folder() / run.name
    folder.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    rows = run.measure(run.recipe, folder)
    hours = (time.perf_counter() - started) / 3600
    save_results(
        run.name, asdict(run.recipe), rows, output_folder(), device=_device(), hours=round(hours, 2)
    )
    for point in folder.glob("*.safetensors"):
        point.unlink()
    return rows


def stored_rows(run: FullRun) -> list[dict] | None:
    """La tabla ya medida con esta receta: la de esta carpeta o la del curso; si no hay, `None`.

    Errores: `ValueError` si alguien ha cambiado un número.
    """
    for folder in (output_folder(), STORED):
        if (folder / f"{run.name}.json").exists():
            return load_results(run.name, asdict(run.settings), folder)
    return None


def show_full(run: FullRun) -> None:
    """En `completo`, mide el experimento; siempre escribe su tabla o dice que está sin medir."""
    missing = ""
    if profile() == "completo":
        try:
            return print(table_text(run, run_full(run)))
        except MissingData as error:
            missing = f"\n{error}"
    rows = stored_rows(run)
    print(unmeasured_text(run) + missing if rows is None else table_text(run, rows))


def unmeasured_text(run: FullRun) -> str:
    """Que está sin medir, y qué pide para medirse."""
    data = [f"{source.name} ({decimal(source.gigabytes)} GB), " for source in run.sources]
    return (
        f"{run.title}: sin medir.\n"
        f"Pide {''.join(data)}unos {decimal(run.gpu_gigabytes)} GB de GPU "
        f"y unas {decimal(run.hours)} h. Se mide con TFCOURSE_PERFIL=completo."
    )


def table_text(run: FullRun, rows: Sequence[dict]) -> str:
    """La tabla, con una columna por medida y los números como se escriben en español."""
    names = list(rows[0])
    cells = [names] + [[_cell(row[name]) for name in names] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in cells
    ]
    return "\n".join([run.title, *lines])


def measured_with(run: FullRun) -> dict | None:
    """Con qué se midió la tabla del curso (GPU, horas, PyTorch), o `None` si está sin medir."""
    if not (STORED / f"{run.name}.json").exists():
        return None
    return load_conditions(run.name, STORED)


def _cell(value: Any) -> str:
    return decimal(value) if isinstance(value, float) else str(value)


def decimal(number: float) -> str:
    """Un número como se escribe en español, con cuatro cifras como mucho."""
    return f"{number:.4g}".replace(".", ",")


def _device() -> str:
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
