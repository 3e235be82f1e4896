"""Pocas etiquetas de tema: desde cero o después de rellenar tramos, a iguales pasos de ajuste.

Se mide una vez, con `python -m benchmarks t5_etiquetas`, y se guarda con su huella.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from tfcourse.datasets.tasks.mixture import Pair, all_tasks
from tfcourse.models.t5 import T5
from tfcourse.text.tasks.recipe import Recipe, build, load, score_task, train
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training import seed_everything
from tfcourse.weights.shipped import weights_card

NAME = "t5_etiquetas"
TASK, WEIGHTS = "tema", "t5_tramos"
FEW, RATES = (100, 400), (0.03, 0.01)
SCRATCH, PRETRAINED = "desde cero", "con tramos"
TUNING = Recipe(steps=150)
N_VALID = 300


@dataclass(frozen=True)
class Row:
    """Una medida; `valid` es la nota con la que se elige el ritmo, y `exact`, la de evaluar."""

    start: str
    n_labels: int
    rate: float
    seed: int
    valid: float
    exact: float


def settings() -> dict:
    """Todo lo que define la tabla, con la huella de los pesos de los que se parte."""
    return {
        "task": TASK, "few": list(FEW), "rates": list(RATES), "tuning": asdict(TUNING),
        "n_valid": N_VALID, "weights": weights_card(WEIGHTS).sha256,
    }  # fmt: skip


def starting_model(start: str, seed: int) -> tuple[T5, UnigramTokenizer]:
    """El modelo del que se parte, y su tokenizador, que es el mismo en los dos casos."""
    pretrained, tokenizer = load(WEIGHTS)
    if start == PRETRAINED:
        return pretrained, tokenizer
    seed_everything(seed)
    return build(TUNING, len(tokenizer)), tokenizer


def tuned_scores(
    start: str, labelled: Sequence[Pair], rate: float, seed: int, exams: Sequence[Sequence[Pair]]
) -> list[float]:
    """Respuestas exactas en cada examen después de ajustar con esas etiquetas."""
    model, tokenizer = starting_model(start, seed)
    recipe = replace(TUNING, rate=rate)
    tuned = train(recipe, seed, tokenizer=tokenizer, tasks={TASK: labelled}, model=model).model
    return [score_task(tuned, tokenizer, TASK, exam)["exacta"] for exam in exams]


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas, punto de partida y ritmo."""
    data = all_tasks()[TASK]
    for seed in seeds:
        drawn = random.Random(seed).sample(data.train, max(FEW) + N_VALID)
        valid, labelled = drawn[:N_VALID], drawn[N_VALID:]
        for n_labels in FEW:
            for start in (SCRATCH, PRETRAINED):
                for rate in RATES:
                    notes = tuned_scores(start, labelled[:n_labels], rate, seed, (valid, data.test))
                    yield asdict(Row(start, n_labels, rate, seed, *notes))
