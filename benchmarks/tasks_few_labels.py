"""Pocas etiquetas de tema: desde cero o después de rellenar tramos, a iguales pasos, y TF-IDF.

Se mide una vez, con `python -m benchmarks t5_etiquetas`, y se guarda con su huella.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product

import torch

from tfcourse.datasets.tasks.mixture import Pair, all_tasks
from tfcourse.models.t5 import T5
from tfcourse.models.tfidf import TfIdfClassifier
from tfcourse.text.tasks.recipe import Recipe, build, load, score_task, train
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training import seed_everything
from tfcourse.weights.shipped import weights_card

NAME = "t5_etiquetas"
TASK, WEIGHTS = "tema", "t5_tramos"
FEW, RATES = (100, 400), (0.03, 0.01)
STRENGTHS = (1.0, 10.0, 100.0)
SCRATCH, PRETRAINED, COUNTED = "desde cero", "con tramos", "TF-IDF"
TUNING, STEPS = Recipe(), (150, 600)
N_VALID = 300


@dataclass(frozen=True)
class Row:
    """Una medida; `valid` es la nota con la que se elige el ritmo, y `exact`, la de evaluar.

    De TF-IDF, que no da pasos, `rate` es su C.
    """

    start: str
    n_labels: int
    steps: int
    rate: float
    seed: int
    valid: float
    exact: float


def settings() -> dict:
    """Todo lo que define la tabla, con la huella de los pesos de los que se parte."""
    return {
        "task": TASK, "few": list(FEW), "rates": list(RATES), "tuning": asdict(TUNING),
        "steps": list(STEPS), "strengths": list(STRENGTHS), "n_valid": N_VALID,
        "weights": weights_card(WEIGHTS).sha256,
    }  # fmt: skip


def starting_model(start: str, seed: int) -> tuple[T5, UnigramTokenizer]:
    """El modelo del que se parte, y su tokenizador, que es el mismo en los dos casos."""
    pretrained, tokenizer = load(WEIGHTS)
    if start == PRETRAINED:
        return pretrained, tokenizer
    seed_everything(seed)
    return build(TUNING, len(tokenizer)), tokenizer


def tuned_scores(
    start: str, labelled: Sequence[Pair], recipe: Recipe, seed: int, exams: Sequence[Sequence[Pair]]
) -> list[float]:
    """Respuestas exactas en cada examen después de ajustar con esas etiquetas."""
    model, tokenizer = starting_model(start, seed)
    tuned = train(recipe, seed, tokenizer=tokenizer, tasks={TASK: labelled}, model=model).model
    return [score_task(tuned, tokenizer, TASK, exam)["exacta"] for exam in exams]


def counted_scores(
    labelled: Sequence[Pair], strength: float, exams: Sequence[Sequence[Pair]]
) -> list[float]:
    """Lo mismo, con TF-IDF y una regresión logística en lugar de un Transformer."""
    texts, topics = zip(*labelled, strict=True)
    names = sorted(set(topics))
    labels = torch.tensor([names.index(topic) for topic in topics])
    model = TfIdfClassifier(texts, labels, len(names), strength)
    notes = []
    for exam in exams:
        asked, wanted = zip(*exam, strict=True)
        said = model.classes(asked).tolist()
        notes.append(sum(names[n] == t for n, t in zip(said, wanted, strict=True)) / len(exam))
    return notes


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas, pasos, punto de partida y ritmo."""
    data = all_tasks()[TASK]
    for seed in seeds:
        drawn = random.Random(seed).sample(data.train, max(FEW) + N_VALID)
        valid, labelled = drawn[:N_VALID], drawn[N_VALID:]
        for n_labels, steps, start, rate in product(FEW, STEPS, (SCRATCH, PRETRAINED), RATES):
            recipe = replace(TUNING, steps=steps, rate=rate)
            notes = tuned_scores(start, labelled[:n_labels], recipe, seed, (valid, data.test))
            yield asdict(Row(start, n_labels, steps, rate, seed, *notes))
        for n_labels, strength in product(FEW, STRENGTHS):
            notes = counted_scores(labelled[:n_labels], strength, (valid, data.test))
            yield asdict(Row(COUNTED, n_labels, 0, strength, seed, *notes))
