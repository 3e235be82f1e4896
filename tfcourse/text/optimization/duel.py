"""Las mismas doce capas con otro optimizador, otro ritmo u otra bajada: qué cambia cada uno."""

import math
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn

from tfcourse.losses import teacher_forcing_loss
from tfcourse.text.optimization.recipe import (
    BETAS,
    EPS,
    PEAK,
    STEPS,
    WARMUPS,
    Recipe,
    batches,
    build,
)
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Steps
from tfcourse.training.muon import Muon, split_parameters
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import linear_decay, one_cycle, product

SHORT = 100  # en la carrera entera todos los que normalizan antes llegan casi a cero


def muon(model: nn.Module, lr: float) -> Muon:
    """Muon en las matrices, con su ritmo, y Adam en lo demás, con el de la carrera."""
    return Muon(*split_parameters(model), lr=lr, adam_lr=PEAK, betas=BETAS)


def adam(model: nn.Module, lr: float, weight_decay: float = 0.0) -> torch.optim.Optimizer:
    """Adam o, con decaimiento, AdamW."""
    return torch.optim.AdamW(
        model.parameters(), lr=lr, betas=BETAS, eps=EPS, weight_decay=weight_decay, fused=True
    )


OPTIMIZERS = {"Adam": adam, "AdamW": partial(adam, weight_decay=0.1), "Muon": muon}
PACES = {
    "sin calentar": (STEPS, WARMUPS["ninguno"]),
    "Noam, bajando a cero": (STEPS, product(WARMUPS["Noam"], linear_decay(STEPS))),
    "un ciclo corto": (SHORT, one_cycle(SHORT)),
}


@dataclass(frozen=True)
class Entry:
    """Quién corre: dónde normaliza, qué optimizador lleva, con qué ritmo mayor y cómo lo cambia."""

    norm: str
    optimizer: str
    lr: float
    pace: str


def train_entry(entry: Entry, seed: int) -> Trained:
    """Entrena doce capas con los lotes de la carrera, que solo dependen de la semilla.

    Errores: `FloatingPointError` si la pérdida deja de ser un número.
    """
    seed_everything(seed)
    recipe = Recipe(entry.norm)
    model, (steps, schedule) = build(recipe), PACES[entry.pace]
    history = fit(
        model, batches(recipe, seed), teacher_forcing_loss, budget=Steps(steps),
        optimizer=OPTIMIZERS[entry.optimizer](model, entry.lr), schedule=schedule,
        clip_norm=math.inf,
    )  # fmt: skip
    return Trained(model, recipe, history)
