"""Redes recurrentes apiladas: bits por carácter según las capas, a igual tamaño y pasos.

`python -m benchmarks capas_recurrentes --escribir` entrena el modelo de lenguaje del capítulo con
una, dos y tres capas, tan estrechas como haga falta para que todas tengan el mismo tamaño.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.datasets.text.streams import SPANISH_CHARACTERS, simplify_text, stream_windows
from tfcourse.losses import CarriedStateLoss
from tfcourse.metrics import bits_per_character, text_log_probabilities
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.language import LanguageConfig, RecurrentLM
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import Steps, fit, one_cycle, seed_everything

NAME = "capas_recurrentes"
CHARACTERS = Vocabulary(SPANISH_CHARACTERS)
WIDTHS = {1: 256, 2: 164, 3: 131}  # capas → unidades de cada una, a igual número de parámetros
RATES = (2e-3, 5e-3)
STEPS, BATCH, WINDOW = 1_000, 32, 24


def config(layers: int) -> LanguageConfig:
    """La red de ese número de capas."""
    return LanguageConfig(len(CHARACTERS), d_hidden=WIDTHS[layers], n_layers=layers)


def settings() -> dict:
    """Todo lo que define la tabla."""
    networks = {str(layers): asdict(config(layers)) for layers in WIDTHS}
    training = {"steps": STEPS, "batch_size": BATCH, "window": WINDOW, "rates": list(RATES)}
    return {"networks": networks} | training


def texts() -> tuple[Int[Tensor, "N"], Int[Tensor, "M"]]:
    """Los artículos de entrenar y los de evaluar, numerados, como en el capítulo."""
    parts = (simplify_text(join_texts(articles)) for articles in split_articles())
    return tuple(torch.tensor(CHARACTERS.encode(part)) for part in parts)


def bits(
    layers: int, rate: float, seed: int, known: Int[Tensor, "N"], test: Int[Tensor, "M"],
    steps: int = STEPS,
) -> float:  # fmt: skip
    """Bits por carácter, en artículos nuevos, de una red recién entrenada."""
    seed_everything(seed)
    model = RecurrentLM(config(layers))
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
    """Una fila por número de capas, ritmo y semilla."""
    known, test = texts()
    for layers, width in WIDTHS.items():
        size = n_parameters(RecurrentLM(config(layers)))
        for rate in RATES:
            for seed in seeds:
                row = {"layers": layers, "width": width, "parameters": size, "rate": rate}
                yield row | {"seed": seed, "bits": bits(layers, rate, seed, known, test)}
