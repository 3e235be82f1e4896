"""A escala real: el problema de la suma con 400 pasos, con cada celda y los mismos lotes."""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.puzzles.adding import adding_batches, adding_examples
from tfcourse.layers.recurrent.precision import keep_full_precision
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.recurrent import VARIANTS, RecurrentConfig, RecurrentReader
from tfcourse.stored.full import FullRun
from tfcourse.training import default_device, fit, one_cycle, seed_everything
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint

TEST_SEED, TEST_BATCH = 50_000, 500


@dataclass(frozen=True)
class Full:
    """La longitud y las unidades de Le et al. (2015), y cuánto se entrena cada celda."""

    length: int = 400
    d_hidden: int = VARIANTS["articulo"]["d_hidden"]
    steps: int = 10_000
    batch_size: int = 128
    rate: float = 2e-3
    save_every: int = 1_000
    n_test: int = 10_000


REHEARSAL = Full(length=8, d_hidden=4, steps=6, batch_size=4, save_every=2, n_test=40)


def squared_error(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Error cuadrático medio de un lote `(secuencias, sumas)`."""
    sequences, answers = batch
    return F.mse_loss(model(sequences), answers)


def train_one(
    cell: str, max_memory: int | None, settings: Full, checkpoint: Checkpoint
) -> nn.Module:
    """Una celda con los lotes y el ritmo de todas; con `max_memory`, sus compuertas recuerdan."""
    seed_everything(0)
    config = RecurrentConfig(cell, d_hidden=settings.d_hidden, max_memory=max_memory)
    model = keep_full_precision(RecurrentReader(config))
    fit(
        model, adding_batches(settings.batch_size, settings.length, seed=0), squared_error,
        budget=Steps(settings.steps), schedule=one_cycle(settings.steps), checkpoint=checkpoint,
        optimizer=torch.optim.Adam(model.parameters(), lr=settings.rate, fused=True),
        description=checkpoint.path.stem,
    )  # fmt: skip
    return model


@torch.no_grad()
def error(model: nn.Module, test: tuple[Tensor, Tensor]) -> float:
    """Error cuadrático medio en secuencias que nadie ha visto."""
    device = next(model.parameters()).device
    parts = zip(*(tensor.split(TEST_BATCH) for tensor in test), strict=True)
    costs = [(model(x.to(device)) - y.to(device)).square().flatten().cpu() for x, y in parts]
    return float(torch.cat(costs).mean())


def measure(settings: Full, folder: Path) -> list[dict]:
    """Error de cada celda en secuencias nuevas, y comparado con el de responder la media."""
    generator = torch.Generator().manual_seed(TEST_SEED)
    test = adding_examples(settings.n_test, settings.length, generator)
    trivial = float((test[1] - 1).square().mean())
    rows = [{"red": "responder 1", "parámetros": 0, "error": trivial, "parte del trivial": 1.0}]
    contenders = {
        "simple": ("rnn", None),
        "LSTM": ("lstm", None),
        "LSTM, memoria larga": ("lstm", settings.length),
        "GRU": ("gru", None),
        "GRU, memoria larga": ("gru", settings.length),
    }
    for name, (cell, max_memory) in contenders.items():
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        model = train_one(cell, max_memory, settings, point)
        found = error(model.to(default_device()), test)
        row = {"red": name, "parámetros": n_parameters(model), "error": found}
        rows.append(row | {"parte del trivial": found / trivial})
    return rows


RUNS = {
    "suma_400": FullRun(
        name="suma_400",
        title="Problema de la suma con 400 pasos, error cuadrático",
        sources=(),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=1,
        hours=0.5,
    )
}
