"""Costes de un cálculo: tiempo de una vuelta de ida y otra de vuelta, y memoria que guarda."""

import time
import weakref
from collections.abc import Callable, Mapping

import numpy as np
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def saved_bytes(forward: Callable[[], Tensor]) -> int:
    """Bytes que la ida deja guardados para poder calcular los gradientes a la vuelta.

    Cada almacén se cuenta una vez, aunque lo compartan varios tensores.
    """
    storages = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        storages[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        # El resultado vive hasta el final: si se libera antes, otro almacén puede ocupar su sitio.
        result = forward()
    del result
    return sum(storages.values())


def peak_bytes(run: Callable[[], object]) -> int:
    """Bytes que llegan a estar reservados a la vez mientras se ejecuta `run`, sobre los de antes.

    Cuenta los almacenes que crean las operaciones de PyTorch, también a la vuelta. En una GPU de
    `cuda` los cuenta quien los reparte, que ve además lo que un núcleo usa por dentro; en las demás
    máquinas, eso no se ve.
    """
    before = _reset_gpu_peak() if torch.cuda.is_available() else 0
    with _LiveStorages() as live:
        result = run()
    del result
    return torch.cuda.max_memory_allocated() - before if live.on_gpu else live.peak


def _reset_gpu_peak() -> int:
    """Empieza a contar el máximo de la GPU; devuelve los bytes que ya están ocupados."""
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    return torch.cuda.memory_allocated()


class _LiveStorages(TorchDispatchMode):
    """Sigue cada almacén desde que una operación lo crea hasta que nadie lo usa."""

    def __init__(self):
        super().__init__()
        self.current = self.peak = 0
        self.on_gpu = False
        self.seen = weakref.WeakSet()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        for tensor in tree_leaves((args, kwargs)):  # lo que ya existía no es coste de la ejecución
            if isinstance(tensor, Tensor):
                self.seen.add(tensor.untyped_storage())
        result = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if isinstance(tensor, Tensor) and tensor.untyped_storage() not in self.seen:
                self._count(tensor.untyped_storage())
        return result

    def _count(self, storage) -> None:
        size = storage.nbytes()
        self.on_gpu |= storage.device.type == "cuda"
        self.seen.add(storage)
        self.current += size
        self.peak = max(self.peak, self.current)
        weakref.finalize(storage, self._release, size)

    def _release(self, size: int) -> None:
        self.current -= size


def training_seconds(
    computations: Mapping[str, Callable[[], Tensor]], repeats: int = 5
) -> dict[str, float]:
    """Segundos de una ida y una vuelta de cada cálculo: el mejor de varios intentos.

    Los cálculos se alternan para que un estorbo pasajero de la máquina no perjudique solo a uno.
    En una GPU se espera a que acabe cada vuelta: si no, se mediría lo que se tarda en pedirla.
    Errores: `ValueError` si `repeats` no es positivo.
    """
    if repeats < 1:
        raise ValueError(f"repeats={repeats}: hay que medir al menos una vez")
    best = dict.fromkeys(computations, float("inf"))
    for _ in range(repeats):
        for name, forward in computations.items():
            started = now()
            forward().sum().backward()
            best[name] = min(best[name], now() - started)
    return best


def growth_exponent(sizes, costs) -> float:
    """Exponente b del ajuste coste ≈ a · tamañoᵇ, por mínimos cuadrados en logaritmos."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def now() -> float:
    """Reloj; con GPU, espera antes a que termine lo pendiente."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    elif torch.backends.mps.is_available():
        torch.mps.synchronize()
    return time.perf_counter()
