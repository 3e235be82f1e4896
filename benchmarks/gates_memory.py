"""El problema de la suma, con ocho maneras de empezar y dos ritmos: quién sale de la meseta.

`python -m benchmarks suma_inicios --escribir` entrena cada red con los mismos pasos, los mismos
lotes y las mismas unidades, y apunta su error en secuencias nuevas. La última fila repite la red
simple que mejor empieza con más pasos.
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
LENGTH, STEPS, MORE_STEPS, BATCH = 100, 600, 2_000, 32
RATES = (4e-3, 4e-2)
TEST_SEED, N_TEST = 10_000, 500


def identity(rnn: nn.RNN) -> None:
    """La identidad, con una entrada que se oye: con 0,001 no sale de la meseta en estos pasos."""
    identity_recurrence_(rnn, input_std=0.1)


def remember(rnn: nn.LSTM | nn.GRU) -> None:
    """Compuertas que recuerdan hasta la longitud de la tarea."""
    init_memory(rnn, memory_biases(rnn.hidden_size, LENGTH), balance=True)


# Nombre → celda y qué se le hace antes de entrenar.
STARTS: dict[str, tuple[str, Callable | None]] = {
    "simple, de PyTorch": ("rnn", None),
    "simple, ortogonal": ("rnn", orthogonal_recurrence_),
    "simple, identidad": ("rnn", identity),
    "simple con ReLU, identidad": ("relu", identity),
    "LSTM, de PyTorch": ("lstm", None),
    "LSTM, para recordar": ("lstm", remember),
    "GRU, de PyTorch": ("gru", None),
    "GRU, para recordar": ("gru", remember),
}


LONGER = "simple con ReLU, identidad"


def settings() -> dict:
    """Todo lo que define la tabla."""
    training = {"length": LENGTH, "steps": STEPS, "batch_size": BATCH, "rates": list(RATES)}
    longer = {"longer": LONGER, "more_steps": MORE_STEPS}
    test = {"starts": list(STARTS), "test": [TEST_SEED, N_TEST]}
    return test | VARIANTS["aula"] | training | longer


def squared_error(model: nn.Module, batch: tuple) -> torch.Tensor:
    """Error cuadrático medio de un lote."""
    x, y = batch
    return F.mse_loss(model(x), y)


def train_one(
    name: str, rate: float, seed: int, steps: int = STEPS
) -> tuple[RecurrentReader, float]:
    """Una red entrenada y su error; infinito si la pérdida dejó de ser un número."""
    cell, prepare = STARTS[name]
    seed_everything(seed)
    model = RecurrentReader(RecurrentConfig(cell, **VARIANTS["aula"]))
    if prepare is not None:
        prepare(model.rnn)
    run = partial(fit, model, adding_batches(BATCH, LENGTH, seed), squared_error)
    try:
        run(
            budget=Steps(steps),
            optimizer=torch.optim.Adam(model.parameters(), lr=rate, fused=True),
            schedule=one_cycle(steps),
        )
    except FloatingPointError:
        return model, float("inf")
    with torch.no_grad():
        test = adding_examples(N_TEST, LENGTH, torch.Generator().manual_seed(TEST_SEED))
        return model, float(squared_error(model, test))


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por manera de empezar, ritmo, pasos y semilla."""
    plan = [(name, rate, STEPS) for name in STARTS for rate in RATES]
    for name, rate, steps in [*plan, (LONGER, min(RATES), MORE_STEPS)]:
        for seed in seeds:
            model, error = train_one(name, rate, seed, steps)
            row = {"start": name, "parameters": n_parameters(model), "rate": rate, "steps": steps}
            yield row | {"seed": seed, "error": error}
