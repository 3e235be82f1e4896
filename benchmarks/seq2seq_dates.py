"""Fechas: el contexto fijo y la atención, con pocos o muchos datos y con pocos o muchos pasos.

`python -m benchmarks fechas_datos_y_pasos --escribir` entrena los dos modelos del capítulo en las
cuatro casillas. Se mide en días que ninguno ha leído y en días que sí.
"""

from collections.abc import Iterator, Sequence

from tfcourse.datasets.sequences import encode_pairs
from tfcourse.datasets.text.dates import DatePair, date_pairs
from tfcourse.models.seq2seq import VARIANTS
from tfcourse.text.seq2seq.classroom import exact_translations, train_model
from tfcourse.tokenizers.vocabulary import Vocabulary

NAME = "fechas_datos_y_pasos"
DATA, STEPS, RATE = (300, 20_000), (180, 900), 1e-2
DECODERS, N_TEST, N_KNOWN = ("fijo", "bahdanau"), 500, 300


def settings() -> dict:
    """Todo lo que define la tabla."""
    grid = {"data": list(DATA), "steps": list(STEPS), "decoders": list(DECODERS)}
    return grid | {"rate": RATE, "test": N_TEST, "sizes": VARIANTS["aula"]}


def run(decoder: str, n_data: int, steps: int, seed: int) -> dict:
    """Aciertos de un modelo recién entrenado, en días nuevos y en los primeros que leyó."""
    known, test = date_pairs(max(DATA), N_TEST, seed=0)
    vocabularies = (
        Vocabulary.from_sequences(list(pair.text) for pair in known),
        Vocabulary("0123456789-"),
    )
    model, _ = train_model(
        decoder, encode_pairs(*texts(known[:n_data]), *vocabularies), vocabularies,
        steps=steps, seed=seed, rate=RATE,
    )  # fmt: skip
    return {
        "new": exact_translations(model, *texts(test), vocabularies),
        "known": exact_translations(model, *texts(known[:N_KNOWN]), vocabularies),
    }


def texts(pairs: Sequence[DatePair]) -> tuple[list[list[str]], list[list[str]]]:
    """Las fechas escritas y su forma ISO, en caracteres."""
    return [list(pair.text) for pair in pairs], [list(pair.iso) for pair in pairs]


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por casilla, modelo y semilla."""
    for n_data in DATA:
        for steps in STEPS:
            for decoder in DECODERS:
                for seed in seeds:
                    row = {"decoder": decoder, "data": n_data, "steps": steps, "seed": seed}
                    yield row | run(decoder, n_data, steps, seed)
