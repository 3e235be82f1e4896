"""Qué recetas entrenan un Transformer de doce capas: la misma carrera, con cada combinación.

Tres maneras de poner la normalización, cinco calentamientos y dos optimizadores.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn

from tfcourse.datasets.puzzles.reversal import (
    FIRST_SYMBOL,
    blind_reversal_loss,
    reversal_batch,
    reversal_batches,
)
from tfcourse.layers.initialization import t_fixup, xavier_initialization
from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Steps
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import (
    Schedule,
    exponential_warmup,
    linear_decay,
    linear_warmup,
    noam,
    product,
    untuned_warmup,
)

STEPS, BATCH_SIZE, PEAK, BETAS, EPS = 200, 32, 6e-3, (0.9, 0.98), 1e-9
RACE = Steps(STEPS)
LENGTH, N_SYMBOLS, N_TEST, TEST_SEED = 4, 5, 500, 1_000_000
SIZES = {"d_model": 32, "n_heads": 4, "n_layers": 6, "d_hidden": 128}
NORMS = ("Post-LN", "Pre-LN", "T-Fixup")
# Las mismas cuentas con todos los parámetros a la vez: aquí son muchos y pequeños. RAdam no tiene
# la versión fusionada.
OPTIMIZERS = {
    "Adam": partial(torch.optim.Adam, fused=True),
    "RAdam": partial(torch.optim.RAdam, foreach=True),
}
LEARNED = 0.75  # aprende quien deja la pérdida por debajo de esta parte de la de quien no lee


def _scaled_noam(warmup: int) -> Schedule:
    """Noam, con el máximo en 1: el suyo depende de d_model y aquí se comparan formas."""
    shape = noam(SIZES["d_model"], warmup)
    peak = shape(warmup - 1)
    return lambda step: shape(step) / peak


# Todos bajan después en línea recta hasta cero, salvo Noam, que trae su propia bajada.
WARMUPS: dict[str, Schedule] = {
    "ninguno": linear_decay(STEPS),
    "lineal": product(linear_warmup(80), linear_decay(STEPS)),
    "exponencial": product(exponential_warmup(80), linear_decay(STEPS)),
    "sin ajustar": product(untuned_warmup(BETAS[1]), linear_decay(STEPS)),
    "Noam": _scaled_noam(80),
}


@dataclass(frozen=True)
class Recipe:
    """Una combinación: dónde va la normalización, cómo se empieza y con qué optimizador.

    Errores: `ValueError` si algún nombre no está en `NORMS`, `WARMUPS` u `OPTIMIZERS`.
    """

    norm: str
    warmup: str = "ninguno"
    optimizer: str = "Adam"

    def __post_init__(self):
        for value, known in (
            (self.norm, NORMS),
            (self.warmup, WARMUPS),
            (self.optimizer, OPTIMIZERS),
        ):
            if value not in known:
                raise ValueError(f"{value!r} no se conoce: usa {', '.join(known)}")


def build(recipe: Recipe, **sizes) -> Transformer:
    """Transformer con la normalización y los pesos iniciales de la receta."""
    n_tokens, norm = FIRST_SYMBOL + N_SYMBOLS, recipe.norm
    config = TransformerConfig(n_tokens, n_tokens, norm_first=norm != "Post-LN", **SIZES | sizes)
    start = t_fixup if norm == "T-Fixup" else xavier_initialization
    return start(Transformer(config))


def batches(_recipe: Recipe, seed: int) -> Iterator[tuple]:
    """Los mismos lotes sin fin con cualquier receta: solo dependen de la semilla."""
    return reversal_batches(BATCH_SIZE, LENGTH, N_SYMBOLS, seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Steps = RACE,
    *,
    clip_norm: float = math.inf,
    watch: Callable | None = None,
) -> Trained:
    """Entrena doce capas con una receta: la carrera entera, o sus primeros pasos.

    El ritmo es siempre el de la carrera entera. Sin recorte, para que se vea lo que hace la
    receta. `watch(model, optimizer)` se llama antes de empezar.
    Errores: `FloatingPointError` si la pérdida deja de ser un número.
    """
    seed_everything(seed)
    model = build(recipe)
    optimizer = OPTIMIZERS[recipe.optimizer](model.parameters(), lr=PEAK, betas=BETAS, eps=EPS)
    if watch is not None:
        watch(model, optimizer)
    history = fit(
        model,
        batches(recipe, seed),
        teacher_forcing_loss,
        budget=budget,
        optimizer=optimizer,
        schedule=WARMUPS[recipe.warmup],
        clip_norm=clip_norm,
    )
    return Trained(model, recipe, history)


@torch.no_grad()
def score(model: nn.Module) -> dict[str, float]:
    """Pérdida y acierto por símbolo en secuencias reservadas, que no salen al entrenar."""
    device = next(model.parameters()).device
    generator = torch.Generator().manual_seed(TEST_SEED)
    batch = reversal_batch(N_TEST, LENGTH, N_SYMBOLS, generator, reserved=True)
    source, lengths, target = (tensor.to(device) for tensor in batch)
    chosen = model(source, lengths, target[:, :-1]).argmax(dim=-1)
    loss = teacher_forcing_loss(model, (source, lengths, target))
    return {"loss": float(loss), "accuracy": float((chosen == target[:, 1:]).float().mean())}


def learns(loss: float) -> bool:
    """Si una pérdida está claramente por debajo de la de quien no lee la entrada."""
    return loss < LEARNED * blind_reversal_loss(LENGTH, N_SYMBOLS)
