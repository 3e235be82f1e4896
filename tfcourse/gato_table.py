"""Una red para todo frente a una por tarea, con los mismos ejemplos de cada tarea.

Se vuelve a medir con `python -m tfcourse tablas gato`.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache

import torch

from tfcourse.datasets.generalist import LENGTH, SHARES, SPACE, GeneralistData, generalist_data
from tfcourse.datasets.spoken_words import SpokenWords, split_spoken_digits
from tfcourse.gato_recipes import TASKS, GatoRecipe, guess_rates, task_score, trained
from tfcourse.models.gato import VARIANTS, Gato, GatoConfig
from tfcourse.shipped import WeightsCard, load_weights
from tfcourse.training import seed_everything

NAME, SHIPPED = "gato", "gato"
ALL = "todas"
N_EPISODES, COPIES, N_TEST, N_PLAY = 120, 2, 400, 20


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "sizes": VARIANTS["aula"],
        "recipe": asdict(GatoRecipe()),
        "rows": SHARES,
        "length": LENGTH,
        "tokens": len(SPACE),
        "episodes": N_EPISODES,
        "copies": COPIES,
        "test": [N_TEST, N_PLAY],
    }


@lru_cache(maxsize=1)
def long_data() -> tuple[GeneralistData, SpokenWords]:
    """Los datos de entrenar y las voces de evaluar, que son otras."""
    train, test = split_spoken_digits()
    return generalist_data(train, N_EPISODES, COPIES), test


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Por semilla, la red de todas las tareas y la de cada una, con la nota al azar al lado."""
    data, spoken = long_data()
    chance = guess_rates()
    for seed in seeds:
        for name in (ALL, *TASKS):
            tasks = TASKS if name == ALL else (name,)
            model, _ = trained(data, seed, GatoRecipe(), tasks)
            for task in tasks:
                yield {
                    "trained_on": name,
                    "seed": seed,
                    "task": task,
                    "score": task_score(model, task, spoken, N_TEST, N_PLAY),
                    "chance": chance[task],
                }


def train_shipped() -> tuple[Gato, WeightsCard]:
    """Entrena los pesos que vienen con el curso, con su ficha."""
    torch.set_num_threads(1)
    (data, spoken), started = long_data(), time.process_time()
    model, _ = trained(data, 0, GatoRecipe())
    spent = time.process_time() - started
    seed_everything(0)
    blind = Gato(GatoConfig(len(SPACE))).eval()
    quality = {}
    for task in TASKS:
        quality[task] = round(task_score(model, task, spoken, N_TEST, N_PLAY), 4)
        quality[f"{task}, sin entrenar"] = round(task_score(blind, task, spoken, 100, 4), 4)
    card = WeightsCard(
        config=asdict(model.config),
        recipe=asdict(GatoRecipe()) | {"rows": SHARES},
        seed=0,
        cpu_seconds=round(spent),
        quality=quality,
        data=(
            "escenas y episodios generados por el curso (CC0 1.0), con la física de Gymnasium, y "
            "voces sintéticas de eSpeak NG"
        ),
    )
    return model, card


def shipped_gato() -> Gato:
    """El Gato que viene con el curso: un solo juego de pesos para las cinco tareas."""
    model = Gato(GatoConfig(len(SPACE)))
    load_weights(SHIPPED, model)
    return model.eval()
