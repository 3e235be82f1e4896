"""Otro optimizador, otro ritmo u otra bajada en las doce capas de la carrera.

Se calcula con `python -m benchmarks optimizadores_profundos --escribir` y se guarda con su huella.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from benchmarks.optimization import settings as race_settings
from tfcourse.text.optimization.duel import PACES, Entry, train_entry
from tfcourse.text.optimization.recipe import PEAK, score

NAME = "optimizadores_profundos"

# Cada optimizador, con tres ritmos: con uno solo ganaría a quien le sentara bien.
DUEL = {"AdamW": (2e-3, 6e-3, 2e-2), "Muon": (5e-3, 2e-2, 5e-2)}
ENTRIES = [
    *(Entry("Post-LN", "Adam", lr, "sin calentar") for lr in (6e-4, 2e-3)),
    Entry("Post-LN", "Adam", PEAK, "Noam, bajando a cero"),
    *(Entry("Pre-LN", name, lr, "un ciclo corto") for name, rates in DUEL.items() for lr in rates),
]


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    paces = {
        name: [steps, *(round(rate(t), 6) for t in (0, 30, 99))]
        for name, (steps, rate) in PACES.items()
    }
    return race_settings() | {"paces": paces, "entries": [asdict(entry) for entry in ENTRIES]}


def run_entries(entries: Sequence[Entry], seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por corredor y semilla; quien deja de dar números tiene pérdida infinita."""
    for entry in entries:
        for seed in seeds:
            try:
                measured = score(train_entry(entry, seed).model)
            except FloatingPointError:
                measured = {"loss": math.inf, "accuracy": 0.0}
            yield asdict(entry) | {"seed": seed} | measured


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """La tabla entera."""
    yield from run_entries(ENTRIES, seeds)
