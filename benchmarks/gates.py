"""La GRU y la LSTM como modelo de lenguaje, con los pasos y los parámetros de la red simple.

`python -m benchmarks celdas_en_texto --escribir` entrena el modelo del capítulo de redes
recurrentes con cada celda, tan estrecha como haga falta para que mida lo que la red simple de una
capa, que ya está en la tabla `capas_recurrentes`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch
from jaxtyping import Int
from torch import Tensor

from benchmarks.recurrent import BATCH, CHARACTERS, STEPS, WINDOW, texts
from tfcourse.datasets.text.streams import stream_windows
from tfcourse.losses import CarriedStateLoss
from tfcourse.metrics import bits_per_character, text_log_probabilities
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.language import LanguageConfig, RecurrentLM
from tfcourse.training import Steps, fit, one_cycle, seed_everything

NAME = "celdas_en_texto"
WIDTHS = {"rnn": 256, "gru": 147, "lstm": 125}  # celda → unidades, a igual número de parámetros
RATES = (1e-2,)  # a 0,002 y 0,005, la red simple ya está en la otra tabla


def config(cell: str) -> LanguageConfig:
    """La red con esa celda."""
    return LanguageConfig(len(CHARACTERS), d_hidden=WIDTHS[cell], cell=cell)


def settings() -> dict:
    """Todo lo que define la tabla."""
    networks = {cell: asdict(config(cell)) for cell in WIDTHS}
    training = {"steps": STEPS, "batch_size": BATCH, "window": WINDOW, "rates": list(RATES)}
    return {"networks": networks} | training


def bits(
    cell: str, rate: float, seed: int, known: Int[Tensor, "N"], test: Int[Tensor, "M"],
    steps: int = STEPS,
) -> float:  # fmt: skip
    """Bits por carácter, en artículos nuevos, de una red recién entrenada."""
    seed_everything(seed)
    model = RecurrentLM(config(cell))
    fit(
        model,
        stream_windows(known, batch_size=BATCH, window=WINDOW),
        CarriedStateLoss(),
        budget=Steps(steps),
        optimizer=torch.optim.AdamW(model.parameters(), lr=rate, fused=True),
        schedule=one_cycle(steps),
    )
    windows = stream_windows(test, batch_size=64, window=256, repeat=False)
    return bits_per_character(text_log_probabilities(model, windows))


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por celda, ritmo y semilla."""
    known, test = texts()
    for cell, width in WIDTHS.items():
        size = n_parameters(RecurrentLM(config(cell)))
        for rate in RATES:
            for seed in seeds:
                row = {"cell": cell, "width": width, "parameters": size, "rate": rate}
                yield row | {"seed": seed, "bits": bits(cell, rate, seed, known, test)}
