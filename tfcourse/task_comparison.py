"""Qué cuesta y qué gana un solo modelo: la misma cantidad de procesador, repartida de otro modo.

Se mide una vez, con `python -m tfcourse tablas t5_reparto`, y se guarda con su huella.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain

from tfcourse.datasets.tasks.mixture import Pair, TaskData, all_tasks, mixing_rates
from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.t5 import T5, VARIANTS, T5Config
from tfcourse.parameter_scale import scaled_groups
from tfcourse.task_recipes import (
    BATCH_SIZE,
    BETAS,
    LIMIT,
    N_TOKENS,
    RATE,
    TEMPERATURE,
    article_texts,
    score_task,
    task_tokenizer,
)
from tfcourse.text_to_text import span_batches, task_batches
from tfcourse.timed import train_for, warmup_cosine
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training import seed_everything

STORED = "t5_reparto"
SECONDS_PER_TASK, PRETRAINING, FINE_TUNING = 20.0, 80.0, 10.0
TASKS = ("tema", "plural", "cifras", "fecha")
FEW = (100, 400, 1_600)
N_TEST = 200


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
        "model": VARIANTS["aula"], "n_tokens": N_TOKENS, "tasks": list(TASKS),
        "seconds": [SECONDS_PER_TASK, PRETRAINING, FINE_TUNING], "few": list(FEW),
        "rate": RATE, "batch_size": BATCH_SIZE, "mixing": [LIMIT, TEMPERATURE], "n_test": N_TEST,
    }  # fmt: skip


def new_model(tokenizer: UnigramTokenizer, seed: int) -> T5:
    """Un modelo sin entrenar, con su semilla."""
    seed_everything(seed)
    return T5(T5Config(len(tokenizer)))


def spend(model: T5, batches: Iterator, seconds: float) -> int:
    """Entrena durante ese tiempo de procesador y dice cuántos pasos han cabido."""
    optimizer = torch.optim.AdamW(
        scaled_groups(model.parameters(), RATE), betas=BETAS, weight_decay=0.0
    )
    history = train_for(
        seconds, model, batches, teacher_forcing_loss, optimizer=optimizer,
        schedule=warmup_cosine(),
    )  # fmt: skip
    return len(history.loss)


def mixture_batches(
    tokenizer: UnigramTokenizer, tasks: Mapping[str, Sequence[Pair]], seed: int
) -> Iterator:
    """Lotes de una mezcla con las proporciones del capítulo."""
    sizes = {name: len(pairs) for name, pairs in tasks.items()}
    rates = mixing_rates(sizes, limit=LIMIT, temperature=TEMPERATURE)
    return task_batches(tokenizer, tasks, rates, batch_size=BATCH_SIZE, seed=seed)


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
        steps = spend(model, mixture_batches(tokenizer, pairs, seed), seconds)
        recipe = plan if len(pairs) > 1 else "una por tarea"
        for name in pairs:
            found = score_task(model, tokenizer, name, tasks[name].test[:N_TEST])
            yield Row("reparto", recipe, name, seed, seconds, steps, found["exacta"], found["CER"])


def pretraining_rows(
    tokenizer: UnigramTokenizer, tasks: Mapping[str, TaskData], seed: int
) -> Iterator[Row]:
    """Con pocas etiquetas de tema: desde cero, o después de rellenar huecos en texto corriente."""
    pretrained = new_model(tokenizer, seed)
    texts = span_batches(tokenizer, article_texts(), batch_size=BATCH_SIZE, seed=seed)
    spend(pretrained, texts, PRETRAINING)
    weights = {name: tensor.clone() for name, tensor in pretrained.state_dict().items()}
    labelled = random.Random(seed).sample(tasks["tema"].train, max(FEW))
    for n_labels in FEW:
        for recipe in ("desde cero", "con huecos"):
            model = new_model(tokenizer, seed)
            if recipe == "con huecos":
                model.load_state_dict(weights)
            batches = mixture_batches(tokenizer, {"tema": labelled[:n_labels]}, seed)
            steps = spend(model, batches, FINE_TUNING)
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
