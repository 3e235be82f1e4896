"""Entrenar unos pasos o un tiempo fijo de procesador: para comparar recetas a igual coste."""

import math
import time
from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn

from tfcourse.training import History, fit, one_cycle


def train_for(
    cpu_seconds: float,
    model: nn.Module,
    batches: Iterable,
    loss_fn: Callable[[nn.Module, tuple], Tensor],
    *,
    optimizer: torch.optim.Optimizer,
    schedule: Callable[[float], float] = lambda done: 1.0,
    clip_norm: float = 1.0,
) -> History:
    """Entrena hasta gastar `cpu_seconds` de procesador y devuelve la historia.

    `schedule` recibe la parte del tiempo ya gastada, entre 0 y 1, y devuelve el factor del ritmo:
    así cada receta completa su bajada, dé los pasos que dé. Cuenta el tiempo del proceso y no el
    del reloj, para que un vecino que trabaje no cambie el resultado.
    Errores: `ValueError` si el tiempo no es positivo o se acaban los lotes; `FloatingPointError`
    si la pérdida deja de ser un número.
    """
    if cpu_seconds <= 0:
        raise ValueError(f"cpu_seconds={cpu_seconds}: hace falta algo de tiempo para entrenar")
    peaks = [group["lr"] for group in optimizer.param_groups]
    history, stream = History(), iter(batches)
    model.train()
    started = time.process_time()
    while (spent := time.process_time() - started) < cpu_seconds:
        batch = next(stream, None)
        if batch is None:
            raise ValueError("se acabaron los lotes antes que el tiempo: usa un generador sin fin")
        for group, peak in zip(optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak * schedule(spent / cpu_seconds)
        loss = loss_fn(model, batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip_norm)
        optimizer.step()
        history.loss.append(float(loss.detach()))
        history.learning_rate.append(optimizer.param_groups[0]["lr"])
        if not math.isfinite(history.loss[-1]):
            raise FloatingPointError(
                f"la pérdida vale {history.loss[-1]} en el paso {len(history.loss)}: baja el ritmo "
                "de aprendizaje"
            )
    history.seconds = time.process_time() - started
    model.eval()
    return history


def warmup_cosine(warmup: float = 0.05, floor: float = 0.1) -> Callable[[float], float]:
    """Calentamiento en línea recta y bajada en coseno hasta `floor`, según la parte recorrida."""

    def factor(done: float) -> float:
        if done < warmup:
            return max(done / warmup, 0.01)
        fallen = (done - warmup) / (1 - warmup)
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, fallen)))

    return factor


def check_budget(steps: int | None, cpu_seconds: float | None) -> None:
    """Comprueba que se dice cuánto entrenar. Errores: `ValueError` si no se da uno de los dos."""
    if (steps is None) == (cpu_seconds is None):
        raise ValueError("di cuánto se entrena: steps o cpu_seconds, uno de los dos")


def train_either(
    model: nn.Module,
    batches: Iterable,
    loss_fn: Callable[[nn.Module, tuple], Tensor],
    *,
    optimizer: torch.optim.Optimizer,
    warmup: float = 0.1,
    steps: int | None = None,
    cpu_seconds: float | None = None,
) -> History:
    """Entrena unos pasos dados o unos segundos de procesador, con el ritmo de un ciclo.

    El ritmo sube durante la parte `warmup` y baja como un coseno hasta cero.
    Errores: `ValueError` si no se da una de las dos cosas, y solo una.
    """
    check_budget(steps, cpu_seconds)
    if steps is not None:
        schedule = one_cycle(steps, warmup)
        return fit(model, batches, loss_fn, steps=steps, optimizer=optimizer, schedule=schedule)
    schedule = warmup_cosine(warmup, 0.0)
    return train_for(cpu_seconds, model, batches, loss_fn, optimizer=optimizer, schedule=schedule)
