"""Una red para todo frente a una por tarea, con los mismos ejemplos de cada tarea.

Se vuelve a medir con `python -m benchmarks gato`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.agents.generalist import LENGTH, SHARES, SPACE
from tfcourse.models.gato import VARIANTS
from tfcourse.multimodal.generalist.metrics import guess_rates, task_score
from tfcourse.multimodal.generalist.recipe import (
    COPIES,
    N_EPISODES,
    N_PLAY,
    N_TEST,
    TASKS,
    Recipe,
    long_data,
    train,
)

NAME, ALL = "gato", "todas"


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "sizes": VARIANTS["aula"],
        "recipe": asdict(Recipe()),
        "rows": SHARES,
        "length": LENGTH,
        "tokens": len(SPACE),
        "episodes": N_EPISODES,
        "copies": COPIES,
        "test": [N_TEST, N_PLAY],
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Por semilla, la red de todas las tareas y la de cada una, con la nota al azar al lado."""
    data, spoken = long_data()
    chance = guess_rates()
    for seed in seeds:
        for name in (ALL, *TASKS):
            tasks = TASKS if name == ALL else (name,)
            model = train(Recipe(), seed, data=data, tasks=tasks).model
            for task in tasks:
                yield {
                    "trained_on": name,
                    "seed": seed,
                    "task": task,
                    "score": task_score(model, task, spoken, N_TEST, N_PLAY),
                    "chance": chance[task],
                }
