"""El problema de la suma, con ocho maneras de empezar y cuatro ritmos: quién sale de la meseta.

`python -m benchmarks suma_inicios --escribir` entrena cada red con los mismos pasos, los mismos
lotes y las mismas unidades, y apunta su error en secuencias nuevas.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from tfcourse.datasets.puzzles.adding import adding_batches, adding_examples
from tfcourse.layers.recurrent.gates import init_memory, memory_biases
from tfcourse.layers.recurrent.state import identity_recurrence_, orthogonal_recurrence_
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.recurrent import VARIANTS, RecurrentConfig, RecurrentReader
from tfcourse.training import Steps, fit, one_cycle, seed_everything

NAME = "suma_inicios"
LENGTH, STEPS, BATCH = 100, 600, 32
RATES = (1e-3, 4e-3, 1e-2, 4e-2)
TEST_SEED, N_TEST = 10_000, 500


def remember(rnn: nn.LSTM | nn.GRU) -> None:
    """Compuertas que recuerdan hasta la longitud de la tarea."""
    init_memory(rnn, memory_biases(rnn.hidden_size, LENGTH), balance=True)


# Nombre → celda y qué se le hace antes de entrenar.
STARTS: dict[str, tuple[str, Callable | None]] = {
    "simple, de PyTorch": ("rnn", None),
    "simple, ortogonal": ("rnn", orthogonal_recurrence_),
    "simple, identidad": ("rnn", identity_recurrence_),
    "simple con ReLU, identidad": ("relu", identity_recurrence_),
    "LSTM, de PyTorch": ("lstm", None),
    "LSTM, para recordar": ("lstm", remember),
    "GRU, de PyTorch": ("gru", None),
    "GRU, para recordar": ("gru", remember),
}


def settings() -> dict:
    """Todo lo que define la tabla."""
    training = {"length": LENGTH, "steps": STEPS, "batch_size": BATCH, "rates": list(RATES)}
    return {"starts": list(STARTS), "test": [TEST_SEED, N_TEST]} | VARIANTS["aula"] | training


def squared_error(model: nn.Module, batch: tuple) -> torch.Tensor:
    """Error cuadrático medio de un lote."""
    x, y = batch
    return F.mse_loss(model(x), y)


def train_one(name: str, rate: float, seed: int) -> tuple[RecurrentReader, float]:
    """Una red entrenada y su error; infinito si la pérdida dejó de ser un número."""
    cell, prepare = STARTS[name]
    seed_everything(seed)
    model = RecurrentReader(RecurrentConfig(cell, **VARIANTS["aula"]))
    if prepare is not None:
        prepare(model.rnn)
    run = partial(fit, model, adding_batches(BATCH, LENGTH, seed), squared_error)
    try:
        run(
            budget=Steps(STEPS),
            optimizer=torch.optim.Adam(model.parameters(), lr=rate, fused=True),
            schedule=one_cycle(STEPS),
        )
    except FloatingPointError:
        return model, float("inf")
    with torch.no_grad():
        test = adding_examples(N_TEST, LENGTH, torch.Generator().manual_seed(TEST_SEED))
        return model, float(squared_error(model, test))


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por manera de empezar, ritmo y semilla."""
    for name in STARTS:
        for rate in RATES:
            for seed in seeds:
                model, error = train_one(name, rate, seed)
                row = {"start": name, "parameters": n_parameters(model), "rate": rate}
                yield row | {"seed": seed, "error": error}
