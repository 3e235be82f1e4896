"""Listas de sintagmas: qué queda de la ventaja de la atención al entrenar más y al cambiar H.

`python -m benchmarks listas_ancho_y_pasos --escribir` entrena los dos modelos del capítulo con
estados de dos tamaños y hasta diez veces más pasos que en la página.
"""

from collections.abc import Iterator, Sequence

from tfcourse.datasets.sequences import encode_pairs
from tfcourse.datasets.text.translation import PhrasePair, split_phrase_lists
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.seq2seq import VARIANTS
from tfcourse.text.seq2seq.classroom import exact_translations, train_model
from tfcourse.tokenizers.vocabulary import Vocabulary

NAME = "listas_ancho_y_pasos"
N_LISTS, N_TEST, LENGTHS, SEEN = 20_000, 100, range(1, 7), range(1, 5)
RATE = 1e-2
STEPS = {  # decodificador y tamaño del estado → con cuántos pasos se entrena
    ("bahdanau", 16): (300, 3_000),
    ("bahdanau", 64): (300,),
    ("fijo", 16): (300, 3_000),
    ("fijo", 64): (300, 3_000),
}


def settings() -> dict:
    """Todo lo que define la tabla."""
    data = {"lists": N_LISTS, "test": N_TEST, "seen": list(SEEN), "lengths": list(LENGTHS)}
    return data | {"cells": cells()}


def cells() -> list[dict]:
    """Las casillas de la tabla: decodificador, tamaño del estado, pasos y ritmo."""
    return [
        {"decoder": decoder, "width": width, "steps": steps, "rate": RATE}
        for (decoder, width), tried in STEPS.items()
        for steps in tried
    ]


def run(decoder: str, width: int, steps: int, rate: float, seed: int) -> dict:
    """Aciertos de un modelo recién entrenado, por sintagmas, y los de cuatro ya leídos."""
    known, test = split_phrase_lists(N_LISTS, N_TEST, SEEN, LENGTHS)
    vocabularies = tuple(
        Vocabulary.from_sequences(getattr(pair, side) for pair in known)
        for side in ("source", "target")
    )
    model, history = train_model(
        decoder, encode_pairs(*words(known), *vocabularies), vocabularies,
        steps=steps, seed=seed, rate=rate, sizes=VARIANTS["aula"] | {"d_hidden": width},
    )  # fmt: skip
    read = [pair for pair in known if pair.source.count(",") == max(SEEN) - 1][:N_TEST]
    scores = {
        f"new_{n}": exact_translations(model, *words(pairs), vocabularies)
        for n, pairs in test.items()
    }
    known_score = exact_translations(model, *words(read), vocabularies)
    loss = sum(history.loss[-100:]) / 100
    return {"parameters": n_parameters(model), "loss": loss, "known_4": known_score} | scores


def words(pairs: Sequence[PhrasePair]) -> tuple[list[tuple], list[tuple]]:
    """Las listas inglesas y las españolas, en palabras."""
    return [pair.source for pair in pairs], [pair.target for pair in pairs]


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por casilla y semilla."""
    for cell in cells():
        for seed in seeds:
            yield cell | {"seed": seed} | run(**cell, seed=seed)
