"""Cuántas etiquetas hacen falta según con qué se empieza: la tabla de acierto por temas.

Se calcula con `python -m benchmarks etiquetas_bert` (unos minutos) y se guarda con su huella.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.text.bert.few_labels import (
    FROM_SCRATCH,
    MAX_LENGTH,
    MIN_STEPS,
    N_TEST,
    STEPS_PER_LABEL,
    TUNED,
    Start,
    tfidf_accuracy,
    tuned_scores,
    untrained,
)
from tfcourse.text.bert.recipe import Recipe, encoded_articles, load, train

NAME = "etiquetas_bert"
PER_TOPIC = (4, 8, 16, 32)


def settings() -> dict:
    """La receta de la tabla."""
    recipes = {"tuned": asdict(TUNED), "from_scratch": asdict(FROM_SCRATCH)}
    for recipe in recipes.values():
        recipe["pool"] = recipe["pool"].__name__
    return recipes | {
        "per_topic": list(PER_TOPIC),
        "n_test": N_TEST,
        "max_length": MAX_LENGTH,
        "steps": [MIN_STEPS, STEPS_PER_LABEL],
        "live": asdict(Recipe()),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas y punto de partida."""
    shipped = Start(*_encoder(load("bert_espanol")))
    corpus = encoded_articles()
    for seed in seeds:
        live = Start(train(Recipe(), seed, corpus=corpus).model.bert, corpus.tokenizer)
        starts = {
            "de cero": (
                Start(untrained(shipped.encoder, seed), shipped.tokenizer),
                FROM_SCRATCH.lr,
            ),
            "de cero, el de clase": (
                Start(untrained(live.encoder, seed), live.tokenizer),
                FROM_SCRATCH.lr,
            ),
            "preentrenado en clase": (live, TUNED.lr),
            "preentrenado del curso": (shipped, TUNED.lr),
        }
        for per_topic in PER_TOPIC:
            row = {"seed": seed, "per_topic": per_topic}
            yield row | {"start": "TF-IDF", "accuracy": tfidf_accuracy(per_topic, seed)}
            for name, (start, rate) in starts.items():
                accuracy = tuned_scores(start, per_topic, seed, rate)["accuracy"]
                yield row | {"start": name, "accuracy": accuracy}


def _encoder(loaded):
    model, tokenizer = loaded
    return model.bert, tokenizer
