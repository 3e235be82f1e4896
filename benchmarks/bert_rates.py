"""Cuatro etiquetas por tema, con los mismos ritmos a prueba para todos los puntos de partida.

`python -m benchmarks ritmos_bert --escribir` la mide (unos minutos) y la guarda. Con qué ritmo se
queda cada uno lo dice `chosen_runs`, en validación.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial

from tfcourse.text.bert.few_labels import (
    MAX_LENGTH,
    MIN_STEPS,
    N_TEST,
    RATES,
    STEPS_PER_LABEL,
    STRENGTHS,
    Start,
    beginning,
    tfidf_scores,
    tuned_scores,
    untrained,
    whole,
)
from tfcourse.text.bert.fine_tuning import TuningRecipe
from tfcourse.text.bert.recipe import load

NAME = "ritmos_bert"
PER_TOPIC = (4,)


def settings() -> dict:
    """La receta de la tabla."""
    recipe = asdict(TuningRecipe()) | {"pool": TuningRecipe().pool.__name__}
    for swept in ("steps", "lr"):
        del recipe[swept]
    return recipe | {
        "per_topic": list(PER_TOPIC),
        "rates": list(RATES),
        "strengths": list(STRENGTHS),
        "n_test": N_TEST,
        "max_length": MAX_LENGTH,
        "steps": [MIN_STEPS, STEPS_PER_LABEL],
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas, punto de partida y ritmo."""
    model, tokenizer = load("bert_espanol")
    shipped = Start(model.bert, tokenizer)
    for seed in seeds:
        networks = {
            "de cero": Start(untrained(shipped.encoder, seed), tokenizer),
            "preentrenado del curso": shipped,
        }
        contenders = {
            "TF-IDF": (partial(tfidf_scores, read=whole), STRENGTHS),
            "TF-IDF, lo que lee la red": (
                partial(tfidf_scores, read=partial(beginning, tokenizer=tokenizer)),
                STRENGTHS,
            ),
        } | {name: (partial(tuned_scores, start), RATES) for name, start in networks.items()}
        for per_topic in PER_TOPIC:
            for name, (scores, knobs) in contenders.items():
                for knob in knobs:
                    found = scores(per_topic, seed, knob)
                    row = {"seed": seed, "per_topic": per_topic, "start": name, "knob": knob}
                    yield row | found
