"""Presupuesto de un cuaderno en el perfil `rapido`: segundos, memoria y tamaño."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tfcourse.files import write_atomically

COSTS = "costes.json"  # junto a los cuadernos: de ahí lo lee la ficha de cada capítulo
BUDGET_SECONDS, BUDGET_MEGABYTES, MARGIN = 60, 3_000, 2
HEADER = f"{'cuaderno':<45} {'tiempo':>9} {'memoria':>11} {'tamaño':>10}"


@dataclass(frozen=True)
class Measure:
    """Lo que costó ejecutar un cuaderno."""

    notebook: Path
    seconds: float
    megabytes: float
    size: int

    def row(self) -> str:
        """Una línea de la tabla, con un aviso si se pasa del presupuesto."""
        notice = "" if self.within_budget else "  ← por encima del presupuesto"
        return (
            f"{self.notebook.stem:<45} {self.seconds:7.1f} s {self.megabytes:8.0f} MB "
            f"{self.size / 1000:7.0f} kB{notice}"
        )

    @property
    def within_budget(self) -> bool:
        """Dice si cabe en el presupuesto."""
        return self.seconds <= BUDGET_SECONDS and self.megabytes <= BUDGET_MEGABYTES

    def check(self) -> None:
        """Comprueba la memoria. El tiempo solo avisa: depende de lo ocupado que esté el equipo.

        Errores: `ValueError` si gasta más del doble de la memoria presupuestada.
        """
        if self.megabytes > BUDGET_MEGABYTES * MARGIN:
            raise ValueError(
                f"{self.notebook.name} gasta {self.megabytes:.0f} MB; el presupuesto es "
                f"{BUDGET_MEGABYTES} MB, y el doble ya es un fallo: reduce datos o tamaño"
            )


def load_costs(folder: Path) -> dict[str, dict[str, int]]:
    """Segundos y megabytes que costó cada cuaderno la última vez que se guardaron sus salidas."""
    path = folder / COSTS
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def save_costs(measures: Iterable[Measure]) -> None:
    """Apunta lo medido en el archivo de costes que hay junto a cada cuaderno."""
    for measure in measures:
        folder = measure.notebook.parent
        costs = load_costs(folder)
        costs[measure.notebook.stem] = {
            "segundos": round(measure.seconds),
            "megabytes": round(measure.megabytes / 10) * 10,
        }
        text = json.dumps(dict(sorted(costs.items())), indent=1)
        write_atomically(folder / COSTS, text + "\n")
