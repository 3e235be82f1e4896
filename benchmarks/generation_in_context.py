"""Copiar del contexto: cuánto cuesta cada vuelta a un segmento nuevo, con una capa y con dos.

`python -m benchmarks gpt_en_contexto --escribir` entrena a seguir segmentos al azar que se repiten,
y mide con segmentos de una longitud que se ha entrenado y de otra que no.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from tfcourse.text.generation.in_context import (
    CopyRecipe,
    CopyTask,
    bits_by_turn,
    train_copier,
)

NAME = "gpt_en_contexto"
TASK, RECIPE = CopyTask(), CopyRecipe()
LAYERS, UNSEEN, SEEN = (1, 2), 8, 6


def settings() -> dict:
    """Todo lo que define la tabla."""
    whole = {"task": asdict(TASK) | {"periods": list(TASK.periods)}, "recipe": asdict(RECIPE)}
    return whole | {"layers": list(LAYERS), "unseen": UNSEEN, "seen": SEEN}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por número de capas, longitud del segmento y semilla."""
    for n_layers in LAYERS:
        for seed in seeds:
            model = train_copier(replace(RECIPE, n_layers=n_layers), TASK, seed)
            for period in (SEEN, UNSEEN):
                first, second, third, *_ = bits_by_turn(model, TASK, period)
                row = {"layers": n_layers, "period": period, "seed": seed}
                yield row | {"first": first, "second": second, "third": third}
