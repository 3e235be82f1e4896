"""Un modelo para todas las tareas o uno para cada una: la tabla, a iguales lotes de cada tarea.

Se mide una vez, con `python -m benchmarks t5_reparto`, y se guarda con su huella.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from tfcourse.datasets.tasks.mixture import TaskData, all_tasks
from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.t5 import VARIANTS
from tfcourse.text.tasks.batches import task_batches
from tfcourse.text.tasks.recipe import (
    N_TOKENS,
    Recipe,
    build,
    scaled_adam,
    score_task,
    task_tokenizer,
    trivial_answer,
)
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Steps
from tfcourse.training.schedules import cycle

NAME = "t5_reparto"
BATCHES_PER_TASK, N_TEST = 200, 200
TASKS = ("tema", "plural", "cifras", "fecha")
TOGETHER, APART = "una para todas", "una por tarea"
RECIPE = Recipe()


@dataclass(frozen=True)
class Row:
    """Una medida: qué receta, qué tarea, con qué semilla, en cuántos pasos, y sus notas."""

    recipe: str
    task: str
    seed: int
    steps: int
    exact: float
    error: float
    trivial: float


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "model": VARIANTS[RECIPE.size], "n_tokens": N_TOKENS, "tasks": list(TASKS),
        "batches_per_task": BATCHES_PER_TASK, "rate": RECIPE.rate,
        "batch_size": RECIPE.batch_size, "n_test": N_TEST,
    }  # fmt: skip


def rows_of_one_model(
    tokenizer: UnigramTokenizer, tasks: Mapping[str, TaskData], names: Sequence[str], seed: int
) -> Iterator[Row]:
    """Un modelo nuevo con esas tareas, por igual: tantos pasos como lotes les tocan en total."""
    seed_everything(seed)
    model, steps = build(RECIPE, len(tokenizer)), BATCHES_PER_TASK * len(names)
    stream = task_batches(
        tokenizer,
        {name: tasks[name].train for name in names},
        dict.fromkeys(names, 1 / len(names)),
        batch_size=RECIPE.batch_size,
        seed=seed,
    )
    budget = Steps(steps)
    fit(
        model, stream, teacher_forcing_loss, budget=budget, optimizer=scaled_adam(model, RECIPE),
        schedule=cycle(budget, RECIPE.warmup),
    )  # fmt: skip
    for name in names:
        test = tasks[name].test[:N_TEST]
        found = score_task(model, tokenizer, name, test)
        guess = trivial_answer(name, tasks[name].train)
        trivial = sum(guess(text) == wanted for text, wanted in test) / len(test)
        recipe = TOGETHER if len(names) > 1 else APART
        yield Row(recipe, name, seed, steps, found["exacta"], found["CER"], trivial)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """La tabla, semilla a semilla; cada fila, los campos de `Row`."""
    tasks = all_tasks()
    tokenizer = task_tokenizer(tasks)
    for seed in seeds:
        for names in (TASKS, *((name,) for name in TASKS)):
            for row in rows_of_one_model(tokenizer, tasks, names, seed):
                yield asdict(row)
