"""Qué cuesta y qué gana un solo modelo: la misma cantidad de procesador, repartida de otro modo.

Se mide una vez, con `python -m benchmarks t5_reparto`, y se guarda con su huella.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain

from tfcourse.datasets.tasks.mixture import TaskData, all_tasks
from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.t5 import T5, VARIANTS
from tfcourse.text.tasks.batches import span_batches
from tfcourse.text.tasks.recipe import (
    N_TOKENS,
    Recipe,
    article_texts,
    batches,
    build,
    scaled_adam,
    score_task,
    task_tokenizer,
)
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import CpuSeconds
from tfcourse.training.schedules import warmup_cosine

NAME = "t5_reparto"
SECONDS_PER_TASK, PRETRAINING, FINE_TUNING = 20.0, 80.0, 10.0
TASKS = ("tema", "plural", "cifras", "fecha")
FEW = (100, 400, 1_600)
N_TEST = 200
RECIPE = Recipe()


@dataclass(frozen=True)
class Row:
    """Una medida: qué experimento, qué receta, qué tarea, con qué semilla, y sus notas."""

    experiment: str
    recipe: str
    task: str
    seed: int
    cpu_seconds: float
    steps: int
    exact: float
    error: float


def settings() -> dict:
    """Todo lo que define la tabla: si cambia algo, la guardada deja de valer."""
    return {
        "model": VARIANTS[RECIPE.size], "n_tokens": N_TOKENS, "tasks": list(TASKS),
        "seconds": [SECONDS_PER_TASK, PRETRAINING, FINE_TUNING], "few": list(FEW),
        "rate": RECIPE.rate, "batch_size": RECIPE.batch_size,
        "mixing": [RECIPE.limit, RECIPE.temperature], "n_test": N_TEST,
    }  # fmt: skip


def new_model(tokenizer: UnigramTokenizer, seed: int) -> T5:
    """Un modelo sin entrenar, con su semilla."""
    seed_everything(seed)
    return build(RECIPE, len(tokenizer))


def spend(model: T5, stream: Iterator, seconds: float) -> int:
    """Entrena durante ese tiempo de procesador y dice cuántos pasos han cabido."""
    budget = CpuSeconds(seconds)
    history = fit(
        model, stream, teacher_forcing_loss, budget=budget, optimizer=scaled_adam(model, RECIPE),
        schedule=warmup_cosine(budget),
    )  # fmt: skip
    return len(history.loss)


def sharing_rows(
    tokenizer: UnigramTokenizer, tasks: Mapping[str, TaskData], seed: int
) -> Iterator[Row]:
    """Un modelo para todas las tareas, frente a uno por tarea con su parte del tiempo."""
    chosen = {name: tasks[name].train for name in TASKS}
    total = SECONDS_PER_TASK * len(TASKS)
    plans = {"una para todas": (chosen, total)}
    plans |= {name: ({name: chosen[name]}, SECONDS_PER_TASK) for name in TASKS}
    for plan, (pairs, seconds) in plans.items():
        model = new_model(tokenizer, seed)
        steps = spend(model, batches(RECIPE, seed, tokenizer, pairs), seconds)
        recipe = plan if len(pairs) > 1 else "una por tarea"
        for name in pairs:
            found = score_task(model, tokenizer, name, tasks[name].test[:N_TEST])
            yield Row("reparto", recipe, name, seed, seconds, steps, found["exacta"], found["CER"])


def pretraining_rows(
    tokenizer: UnigramTokenizer, tasks: Mapping[str, TaskData], seed: int
) -> Iterator[Row]:
    """Con pocas etiquetas de tema: desde cero, o después de rellenar huecos en texto corriente."""
    pretrained = new_model(tokenizer, seed)
    texts = span_batches(tokenizer, article_texts(), batch_size=RECIPE.batch_size, seed=seed)
    spend(pretrained, texts, PRETRAINING)
    weights = {name: tensor.clone() for name, tensor in pretrained.state_dict().items()}
    labelled = random.Random(seed).sample(tasks["tema"].train, max(FEW))
    for n_labels in FEW:
        for recipe in ("desde cero", "con huecos"):
            model = new_model(tokenizer, seed)
            if recipe == "con huecos":
                model.load_state_dict(weights)
            stream = batches(RECIPE, seed, tokenizer, {"tema": labelled[:n_labels]})
            steps = spend(model, stream, FINE_TUNING)
            found = score_task(model, tokenizer, "tema", tasks["tema"].test)
            name = f"{recipe}, {n_labels}"
            yield Row(
                "etiquetas", name, "tema", seed, FINE_TUNING, steps, found["exacta"], found["CER"]
            )


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las dos tablas, semilla a semilla; cada fila, los campos de `Row`."""
    tasks = all_tasks()
    tokenizer = task_tokenizer(tasks)
    for seed in seeds:
        for row in chain(
            sharing_rows(tokenizer, tasks, seed), pretraining_rows(tokenizer, tasks, seed)
        ):
            yield asdict(row)
