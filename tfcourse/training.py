"""Entrenamiento: un solo bucle, `fit`, para todos los modelos del curso."""

import itertools
import math
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import torch
from torch import Tensor, nn

from tfcourse.checkpoints import (
    Checkpoint,
    load_checkpoint,
    restore_random_states,
    save_checkpoint,
)
from tfcourse.profile import by_profile
from tfcourse.progress import progress

READ_LOSS_EVERY = 20  # leer la pérdida espera a la GPU: se hace por tandas


@dataclass
class History:
    """Historia de un entrenamiento: pérdida y ritmo de cada paso, y medidas cuando se toman."""

    loss: list[float] = field(default_factory=list)
    learning_rate: list[float] = field(default_factory=list)
    metrics: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0

    def curve(self, metric: str) -> tuple[list[int], list[float]]:
        """Pasos y valores de una medida, listos para dibujar.

        Errores: `KeyError` si esa medida no se tomó.
        """
        if not any(metric in row for row in self.metrics):
            known = sorted({name for row in self.metrics for name in row} - {"step"})
            raise KeyError(
                f"no hay medida {metric!r}; las que hay: {', '.join(known) or 'ninguna'}"
            )
        rows = [row for row in self.metrics if metric in row]
        return [int(row["step"]) for row in rows], [row[metric] for row in rows]


@dataclass(frozen=True)
class Evaluation:
    """Qué se mide durante el entrenamiento, y cada cuántos pasos.

    `measure(model)` devuelve un diccionario de números; se llama sin gradientes y en modo de
    evaluación.
    """

    measure: Callable[[nn.Module], dict[str, float]]
    every: int


def seed_everything(seed: int) -> None:
    """Fija la semilla de Python, NumPy y PyTorch."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def default_device() -> str:
    """Dispositivo disponible: `cuda`, `mps` o `cpu`."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


@cache
def default_accelerator():
    """Acelerador por omisión: dispositivo y procesos que haya; bf16 en `completo` con GPU."""
    from accelerate import Accelerator

    reduced = "bf16" if default_device() == "cuda" else "no"
    return Accelerator(mixed_precision=by_profile(rapido="no", completo=reduced))


def one_cycle(steps: int, warmup: float = 0.15) -> Callable[[int], float]:
    """Ritmo de un ciclo: sube en línea recta y baja como un coseno hasta casi cero.

    Devuelve el factor, entre 0 y 1, por el que se multiplica el ritmo de aprendizaje en cada paso.
    Fuente: Smith y Topin (2019).
    """
    peak = max(1, round(steps * warmup))

    def factor(step: int) -> float:
        if step < peak:
            return (step + 1) / peak
        return 0.5 * (1 + math.cos(math.pi * (step - peak) / max(1, steps - peak)))

    return factor


def fit(
    model: nn.Module,
    batches: Iterable,
    loss_fn: Callable[[nn.Module, tuple], Tensor],
    *,
    steps: int,
    optimizer: torch.optim.Optimizer,
    schedule: Callable[[int], float] = lambda step: 1.0,
    clip_norm: float = 1.0,
    evaluation: Evaluation | None = None,
    checkpoint: Checkpoint | None = None,
    accelerator=None,
    description: str = "Entrenando",
) -> History:
    """Entrena `model` durante `steps` pasos y devuelve la historia.

    `batches` da lotes (tuplas de tensores) y se vuelve a recorrer si se acaba; `loss_fn(model,
    lote)` devuelve la pérdida media del lote. Si `checkpoint` ya existe, continúa desde él y
    llega a las mismas pérdidas que sin parar. Con varios procesos, cada uno toma su parte de
    cada lote.
    Errores: `ValueError` si `steps` no es positivo o el lote no se reparte; `FloatingPointError`
    si la pérdida deja de ser un número.
    """
    if steps < 1:
        raise ValueError(f"steps={steps}: hace falta al menos un paso")
    run = _Run(model, optimizer, schedule, clip_norm, accelerator or default_accelerator())
    first = run.resume(checkpoint)
    stream = itertools.islice(_repeat(batches), steps)
    for _ in range(first):  # los lotes ya vistos se saltan antes de reponer el azar
        next(stream)
    run.restore_randomness()
    model.train()
    started = time.perf_counter()
    for step, batch in enumerate(
        progress(stream, total=steps, description=description, start=first), start=first
    ):
        run.step(step, batch, loss_fn)
        done = step + 1
        if evaluation and (done % evaluation.every == 0 or done == steps):
            run.evaluate(evaluation, done)
        if checkpoint and (done % checkpoint.every == 0 or done == steps):
            run.save(checkpoint, done)
    run.finish()
    run.history.seconds += time.perf_counter() - started
    return run.history


class _Run:
    """Estado de un entrenamiento en marcha: modelo, optimizador e historia."""

    def __init__(self, model, optimizer, schedule, clip_norm, accelerator):
        self.bare_model, self.accelerator, self.clip_norm = model, accelerator, clip_norm
        self.model, self.optimizer = accelerator.prepare(model, optimizer)
        self.parameters = list(self.model.parameters())
        self.schedule = schedule
        self.peaks = [group["lr"] for group in optimizer.param_groups]
        self.history, self.pending, self.random_state = History(), [], None

    def resume(self, checkpoint: Checkpoint | None) -> int:
        """Carga el punto de control, si existe, y dice en qué paso se sigue."""
        if checkpoint is None or not checkpoint.path.exists():
            return 0
        saved = load_checkpoint(checkpoint.path, self.bare_model, self.optimizer)
        self.peaks, self.random_state = saved.extra["peaks"], saved.random_state
        self.history = History(**saved.extra["history"])
        return saved.step

    def restore_randomness(self) -> None:
        """Repone el azar tal como estaba al guardar, después de avanzar los lotes."""
        if self.random_state is not None:
            restore_random_states(self.random_state)

    def step(self, step: int, batch: tuple, loss_fn) -> None:
        """Un paso: pérdida, gradientes recortados y actualización."""
        for group, peak in zip(self.optimizer.param_groups, self.peaks, strict=True):
            group["lr"] = peak * self.schedule(step)
        loss = loss_fn(self.model, self._my_share(batch))
        self.optimizer.zero_grad()
        self.accelerator.backward(loss)
        self.accelerator.clip_grad_norm_(self.parameters, self.clip_norm)
        self.optimizer.step()
        self.pending.append(loss.detach())
        self.history.learning_rate.append(self.optimizer.param_groups[0]["lr"])
        if len(self.pending) == READ_LOSS_EVERY:
            self.read_losses()

    def read_losses(self) -> None:
        """Pasa las pérdidas pendientes a la historia y comprueba que sean números."""
        if not self.pending:
            return
        losses = self.accelerator.reduce(torch.stack(self.pending), reduction="mean").tolist()
        self.pending = []
        self.history.loss.extend(losses)
        for position, value in enumerate(losses, start=len(self.history.loss) - len(losses) + 1):
            if not math.isfinite(value):
                raise FloatingPointError(
                    f"la pérdida vale {value} en el paso {position}: baja el ritmo de "
                    "aprendizaje, recorta más el gradiente o revisa los datos"
                )

    def evaluate(self, evaluation: Evaluation, done: int) -> None:
        """Toma las medidas sin gradientes y en modo de evaluación."""
        self.bare_model.eval()
        with torch.no_grad():
            measures = evaluation.measure(self.bare_model)
        self.bare_model.train()
        self.history.metrics.append({"step": done, **measures})

    def save(self, checkpoint: Checkpoint, done: int) -> None:
        """Guarda un punto de control desde el proceso principal."""
        self.read_losses()
        if self.accelerator.is_main_process:
            extra = {"peaks": self.peaks, "history": vars(self.history)}
            save_checkpoint(checkpoint.path, self.bare_model, self.optimizer, done, extra)
        self.accelerator.wait_for_everyone()

    def finish(self) -> None:
        """Lee las últimas pérdidas y deja el modelo tal como era, en modo de evaluación."""
        self.read_losses()
        self.accelerator.unwrap_model(self.model, keep_fp32_wrapper=False).eval()

    def _my_share(self, batch: tuple) -> tuple:
        rank, world = self.accelerator.process_index, self.accelerator.num_processes
        if world > 1 and len(batch[0]) % world:
            raise ValueError(
                f"un lote de {len(batch[0])} ejemplos no se reparte entre {world} procesos: usa "
                "un tamaño de lote múltiplo del número de procesos"
            )
        device = self.accelerator.device
        return tuple(tensor[rank::world].to(device, non_blocking=True) for tensor in batch)


def _repeat(batches: Iterable):
    """Recorre los lotes una y otra vez: una lista se repite, un generador sin fin no acaba."""
    while True:
        empty = True
        for batch in batches:
            empty = False
            yield batch
        if empty:
            raise ValueError("se acabaron los lotes: pasa una lista o un generador sin fin")
