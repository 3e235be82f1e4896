"""Entrenamiento: un solo bucle, `fit`, para todos los modelos del curso."""

import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tfcourse.profile import by_profile
from tfcourse.training.accumulation import Accumulation, accumulate_gradients
from tfcourse.training.batches import after, prefetched
from tfcourse.training.budget import Budget, Meter, Steps
from tfcourse.training.checkpoints import (
    Checkpoint,
    load_checkpoint,
    restore_random_states,
    save_checkpoint,
)
from tfcourse.training.processes import share_of_the_mean, shared_out
from tfcourse.training.progress import progress
from tfcourse.training.schedules import Schedule, constant

Loss = Tensor | tuple[Tensor, dict[str, Tensor]]  # la pérdida o, además, sus términos

WHOLE_BATCH = Accumulation()
READ_LOSS_EVERY = 20  # leer la pérdida espera a la GPU: se hace por tandas


@dataclass
class History:
    """Historia de un entrenamiento: pérdida y ritmo de cada paso, y medidas cuando se toman.

    `terms` tiene los términos de la pérdida, si los da por separado, y `seconds`, lo que ha tardado
    sin contar las medidas: de reloj, o de procesador si el presupuesto es de procesador.
    """

    loss: list[float] = field(default_factory=list)
    learning_rate: list[float] = field(default_factory=list)
    metrics: list[dict[str, float]] = field(default_factory=list)
    terms: dict[str, list[float]] = field(default_factory=dict)
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
    """Acelerador por omisión, con los procesos que haya; en `completo`, bf16 si la GPU sabe."""
    from accelerate import Accelerator

    return Accelerator(mixed_precision=by_profile(rapido="no", completo=_half_precision()))


def _half_precision() -> str:
    """Las GPU anteriores a Ampere imitan bf16 tan despacio que sale a cuenta el float32."""
    knows = default_device() == "cuda" and torch.cuda.get_device_capability() >= (8, 0)
    return "bf16" if knows else "no"


def fit(
    model: nn.Module,
    batches: Iterable,
    loss_fn: Callable[[nn.Module, Any], Loss],
    *,
    budget: Budget,
    optimizer: torch.optim.Optimizer,
    schedule: Schedule = constant,
    clip_norm: float = 1.0,
    accumulation: Accumulation = WHOLE_BATCH,
    evaluation: Evaluation | None = None,
    checkpoint: Checkpoint | None = None,
    accelerator=None,
    description: str = "Entrenando",
) -> History:
    """Entrena `model` hasta gastar `budget` y devuelve la historia.

    `batches` da lotes (tuplas, listas o diccionarios de tensores) y se vuelve a recorrer si se
    acaba; `loss_fn(model, lote)` devuelve la pérdida media del lote, sola o con un diccionario de
    sus términos. `schedule` recibe lo gastado, en las unidades del presupuesto: el paso, contado
    desde 0, o los segundos. Si `checkpoint` ya existe, continúa desde él y llega a las mismas
    pérdidas que sin parar. Con varios procesos, cada uno toma su parte de cada lote.

    El modelo se entrena en el acelerador y vuelve a donde estaba, en modo de evaluación, también
    si algo falla.
    Errores: `ValueError` si no hay lotes o no se reparten; `FloatingPointError` si la pérdida deja
    de ser un número; `MemoryError` si un lote no cabe en el acelerador.
    """
    home = next(model.parameters()).device
    accelerator = accelerator or default_accelerator()
    run = _Run(model, optimizer, schedule, clip_norm, accumulation, accelerator, Meter(budget))
    try:
        run.resume(checkpoint)
        for batch in run.stream(batches, description):
            run.step(batch, loss_fn)
            if run.due(evaluation):
                run.evaluate(evaluation)
            if run.due(checkpoint):
                run.save(checkpoint)
        run.read_losses()
    except torch.cuda.OutOfMemoryError as error:
        raise MemoryError(_does_not_fit(checkpoint)) from error
    finally:
        run.hand_back(home)
    return run.history


class _Run:
    """Estado de un entrenamiento en marcha: modelo, optimizador e historia."""

    def __init__(self, model, optimizer, schedule, clip_norm, accumulation, accelerator, meter):
        self.bare_model, self.accelerator, self.clip_norm = model, accelerator, clip_norm
        self.model, self.optimizer = accelerator.prepare(model, optimizer)
        self.parameters = list(self.model.parameters())
        self.schedule, self.accumulation, self.meter = schedule, accumulation, meter
        self.peaks = [group["lr"] for group in optimizer.param_groups]
        self.history, self.pending, self.random_state = History(), [], None
        self.over = False

    def resume(self, checkpoint: Checkpoint | None) -> None:
        """Sigue desde el punto de control, si existe."""
        if checkpoint is None or not checkpoint.path.exists():
            return
        saved = load_checkpoint(checkpoint.path, self.bare_model, self.optimizer)
        self.peaks, self.random_state = saved.extra["peaks"], saved.random_state
        self.history = History(**saved.extra["history"])
        self.meter.steps, self.meter.seconds = saved.step, self.history.seconds

    def stream(self, batches: Iterable, description: str) -> Iterator:
        """Los lotes que faltan, ya en su sitio, con la barra de avance y el reloj en marcha."""
        self.over, budget = self.meter.exhausted, self.meter.budget
        if self.over:
            return
        stream = after(batches, self.meter.steps)
        stream = shared_out(stream, self.accelerator)
        if self.accelerator.device.type != "cpu":
            stream = prefetched(stream)
        if self.random_state is not None:
            restore_random_states(self.random_state)
        stream = self._until_it_is_over(stream)
        if isinstance(budget, Steps):
            stream = progress(
                stream, total=budget.number, description=description, start=self.meter.steps
            )
        self.model.train()
        self.meter.run()
        yield from stream

    def _until_it_is_over(self, stream: Iterator) -> Iterator:
        while not self.over:
            yield next(stream)

    def step(self, batch: Any, loss_fn) -> None:
        """Un paso: pérdida, gradientes recortados y actualización."""
        factor = self.schedule(self.meter.spent)
        for group, peak in zip(self.optimizer.param_groups, self.peaks, strict=True):
            group["lr"] = peak * factor
        self.optimizer.zero_grad()
        self.pending.append(self._accumulate(batch, loss_fn))
        self.accelerator.clip_grad_norm_(self.parameters, self.clip_norm)
        self.optimizer.step()
        self.meter.steps += 1
        self.over = self.meter.exhausted
        self.history.learning_rate.append(self.optimizer.param_groups[0]["lr"])
        if len(self.pending) == READ_LOSS_EVERY:
            self.read_losses()

    def _accumulate(self, batch: Any, loss_fn) -> dict[str, Tensor]:
        """Deja en los parámetros el gradiente del lote; devuelve la pérdida y sus términos."""
        parts = self.accumulation.split(batch)
        weights = [self.accumulation.count(part) for part in parts]
        mine = share_of_the_mean(sum(weights))
        terms: list[dict[str, Tensor]] = []

        def loss(model: nn.Module, part: Any) -> Tensor:
            found = loss_fn(model, part)
            value, apart = found if isinstance(found, tuple) else (found, {})
            terms.append(apart)
            return value if mine == 1 else value * mine

        whole = accumulate_gradients(
            self.model, parts, loss, weights, backward=self.accelerator.backward
        )
        shares = [mine * weight / sum(weights) for weight in weights]
        return {"": whole} | {
            name: sum(share * row[name].detach() for share, row in zip(shares, terms, strict=True))
            for name in terms[0]
        }

    def read_losses(self) -> None:
        """Pasa las pérdidas pendientes a la historia y comprueba que sean números."""
        if not self.pending:
            return
        pending, self.pending = self.pending, []
        for name in pending[0]:
            column = torch.stack([row[name] for row in pending])
            values = self.accelerator.reduce(column, reduction="mean").tolist()
            (self.history.terms.setdefault(name, []) if name else self.history.loss).extend(values)
        first = len(self.history.loss) - len(pending)
        for position, value in enumerate(self.history.loss[first:], start=first + 1):
            if not math.isfinite(value):
                raise FloatingPointError(
                    f"la pérdida vale {value} en el paso {position}: baja el ritmo de "
                    "aprendizaje, recorta más el gradiente o revisa los datos"
                )

    def due(self, what: Evaluation | Checkpoint | None) -> bool:
        """Si toca medir o guardar: cada tantos pasos, y al acabar."""
        return what is not None and (self.meter.steps % what.every == 0 or self.over)

    def evaluate(self, evaluation: Evaluation) -> None:
        """Toma las medidas sin gradientes y en modo de evaluación."""
        self.meter.pause()
        self.bare_model.eval()
        with torch.no_grad():
            measures = evaluation.measure(self.bare_model)
        self.bare_model.train()
        self.history.metrics.append({"step": self.meter.steps, **measures})
        self.meter.run()

    def save(self, checkpoint: Checkpoint) -> None:
        """Guarda un punto de control desde el proceso principal."""
        self.meter.pause()
        self.read_losses()
        self.history.seconds = self.meter.seconds
        if self.accelerator.is_main_process:
            extra = {"peaks": self.peaks, "history": vars(self.history)}
            save_checkpoint(
                checkpoint.path, self.bare_model, self.optimizer, self.meter.steps, extra
            )
        self.accelerator.wait_for_everyone()
        self.meter.run()

    def hand_back(self, home: torch.device) -> None:
        """Deja el modelo donde estaba y tal como era, en modo de evaluación."""
        self.meter.pause()
        self.history.seconds = self.meter.seconds
        self.accelerator.unwrap_model(self.model, keep_fp32_wrapper=False).eval().to(home)
        self.bare_model._is_accelerate_prepared = False  # si no, otro `fit` no lo movería
        if self.accelerator.device.type != "cpu":
            self.accelerator.free_memory()  # si no, guarda cada modelo que ha visto


def _does_not_fit(checkpoint: Checkpoint | None) -> str:
    saved = checkpoint is not None and checkpoint.path.exists()
    kept = f"; lo entrenado hasta el último corte sigue en {checkpoint.path}" if saved else ""
    return (
        "un lote no cabe en la memoria del acelerador: baja batch_size, o léelo por partes con "
        f"accumulation=Accumulation(partes){kept}"
    )
