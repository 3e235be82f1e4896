"""La prueba de borrado: si se tapa la palabra que señala cada reparto, ¿cuánto baja la confianza?

Se calcula con `python -m benchmarks sentimiento_borrado` (unos minutos) y se guarda con su huella.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from random import Random
from statistics import mean

from tfcourse.datasets.reviews import Review, review_split
from tfcourse.text.sentiment.attributions import (
    erasure_drops,
    received_attention,
    word_attributions,
)
from tfcourse.text.sentiment.recipe import ATTENTION, CONVOLUTION, RECIPES, run_model
from tfcourse.text.sentiment.texts import texts_and_labels

NAME = "sentimiento_borrado"
N_TRAIN, N_TEST, N_STEPS = 4800, 600, 24
INTEGRATED, TANGENT, RECEIVED, CHANCE = POINTERS = (
    "gradientes integrados",
    "gradiente por entrada",
    "atención recibida",
    "al azar",
)


def settings() -> dict:
    """La receta de la prueba de borrado."""
    return {
        "recipes": {name: asdict(RECIPES[name]) for name in (CONVOLUTION, ATTENTION)},
        "n_train": N_TRAIN,
        "n_test": N_TEST,
        "n_steps": N_STEPS,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, lector, parte del examen y quien señala."""
    for seed in seeds:
        pool, test = review_split(N_TRAIN, N_TEST, seed=seed)
        train, (texts, _) = texts_and_labels(pool, True), texts_and_labels(test, True)
        for name in (CONVOLUTION, ATTENTION):
            outcome = run_model(name, train, texts, seed)
            found = _erased(outcome, texts, seed, with_attention=name == ATTENTION)
            yield from _rows(name, seed, test, outcome.guesses.tolist(), found)


def _erased(outcome, texts: Sequence[str], seed: int, *, with_attention: bool) -> dict:
    """De cada quien señala, cuánto baja la confianza en cada texto y si cambia la respuesta."""
    model, encode = outcome.trained
    random, found = Random(seed), {}
    for text, label in zip(texts, outcome.guesses.tolist(), strict=True):
        ids = encode([text])[0][0]
        tangent, integrated = word_attributions(model, ids, label, N_STEPS)
        values = {INTEGRATED: integrated, TANGENT: tangent}
        if with_attention:
            values[RECEIVED] = received_attention(model, ids)
        places = [int(value.argmax()) for value in values.values()]
        places.append(random.randrange(len(ids)))
        drops, flips = erasure_drops(model, ids, label, places)
        for pointer, drop, flip in zip((*values, CHANCE), drops, flips, strict=True):
            found.setdefault(pointer, []).append((float(drop), bool(flip)))
    return found


def _rows(name: str, seed: int, test: Sequence[Review], guesses: list, found: dict):
    right = [guess == review.label for guess, review in zip(guesses, test, strict=True)]
    parts = {"todas": [True] * len(test), "aciertos": right, "errores": [not r for r in right]}
    for part, kept in parts.items():
        for pointer, values in found.items():
            rows = [value for value, keep in zip(values, kept, strict=True) if keep]
            yield {
                "model": name, "seed": seed, "part": part, "n": len(rows), "pointer": pointer,
                "drop": mean(drop for drop, _ in rows), "flips": mean(flip for _, flip in rows),
            }  # fmt: skip
