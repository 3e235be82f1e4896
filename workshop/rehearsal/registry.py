"""Qué experimentos de `completo` hay, dónde se enseñan y quién hace sus conjuntos de mentira."""

import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tfcourse.datasets.download import DATA_VARIABLE
from tfcourse.profile import PROFILE_VARIABLE, REHEARSAL_VARIABLE
from tfcourse.stored.full import OUTPUT_VARIABLE, FullRun
from tfcourse.weights.shipped import room_modules

Maker = Callable[[Path], None]
# La celda con que una página enseña un experimento.
CALL = re.compile(r'^show_full\(\w+\.RUNS\["(\w+)"\]\)$', re.MULTILINE)


def every_full_run() -> dict[str, FullRun]:
    """Los experimentos de `completo` que declaran los cuartos en `RUNS`, por el nombre de su tabla.

    Errores: `ValueError` si dos tienen el mismo nombre.
    """
    found: dict[str, FullRun] = {}
    for module in room_modules():
        for run in getattr(module, "RUNS", {}).values() if _is_full(module) else ():
            if found.setdefault(run.name, run) is not run:
                raise ValueError(f"dos cuartos guardan la tabla {run.name!r}: cambia una de nombre")
    return found


def _is_full(module) -> bool:
    return module.__name__.rsplit(".", 1)[-1] == "full"


def cells_of_runs(notebooks: Iterable[Path]) -> dict[str, list[tuple[Path, str]]]:
    """Los cuadernos que enseñan cada experimento, por el nombre de su tabla, y su celda."""
    found: dict[str, list[tuple[Path, str]]] = {}
    for path in notebooks:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            for name in CALL.findall(source) if cell["cell_type"] == "code" else ():
                found.setdefault(name, []).append((path, source))
    return found


def makers() -> dict[str, Maker]:
    """Quién hace cada conjunto de mentira, por el nombre de su `Source`."""
    found: dict[str, Maker] = {}
    for info in pkgutil.iter_modules([str(Path(__file__).parent)]):
        module = importlib.import_module(f"workshop.rehearsal.{info.name}")
        found |= getattr(module, "MAKERS", {})
    return found


def rehearsal_environment(run: FullRun, folder: Path) -> Iterator[tuple[str, str]]:
    """Hace los conjuntos de un experimento y da las variables de entorno con que se ensaya.

    Errores: `KeyError` si nadie hace uno de sus conjuntos.
    """
    yield PROFILE_VARIABLE, "completo"
    yield REHEARSAL_VARIABLE, "1"
    yield DATA_VARIABLE, str(folder / "datos")
    yield OUTPUT_VARIABLE, str(folder / "salida")
    known = makers()
    for source in run.sources:
        if source.name not in known:
            raise KeyError(f"nadie hace «{source.name}» de mentira: añádelo a workshop/rehearsal")
        # Lo que se descarga solo va a la carpeta de datos; lo demás, a la que diga su variable.
        place = folder / (source.variable or "datos")
        # Los experimentos de una misma celda comparten los conjuntos.
        if not (source.variable and place.exists()):
            place.mkdir(parents=True, exist_ok=True)
            known[source.name](place)
        if source.variable:
            yield source.variable, str(place)
