"""Varios procesos que entrenan a la vez: lo que tienen que acordar."""

from collections.abc import Iterable, Iterator

import torch
import torch.distributed as dist
from torch import Tensor

from tfcourse.training.batches import every_other, moved, n_examples


def _several() -> bool:
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1


def _device() -> torch.device:
    """NCCL solo reparte tensores que estén en la GPU."""
    return torch.device("cuda" if dist.get_backend() == "nccl" else "cpu")


def mean_over_processes(count: float) -> float:
    """La media de una cuenta entre todos los procesos; con uno solo, ella misma."""
    if not _several():
        return count
    shared = torch.tensor(float(count), dtype=torch.float64, device=_device())
    dist.all_reduce(shared)
    return float(shared) / dist.get_world_size()


def share_of_the_mean(count: float | Tensor) -> float:
    """Por cuánto se multiplica la media de este proceso para que, al promediar, salga la de todos.

    Los gradientes se promedian entre procesos, y la media de dos medias solo es la media de todo
    si las dos cuentan lo mismo. `count` es lo que ha contado este; con un solo proceso, da 1.
    """
    if not _several():  # sin leer la cuenta: en una GPU habría que esperarla
        return 1.0
    mean = mean_over_processes(float(count))
    return float(count) / mean if mean else 1.0


def said_by_the_first(number: float) -> float:
    """El número que dice el primer proceso, para que todos decidan lo mismo."""
    if not _several():
        return number
    shared = torch.tensor(float(number), dtype=torch.float64, device=_device())
    dist.broadcast(shared, src=0)
    return float(shared)


def shared_out(batches: Iterable, accelerator) -> Iterator:
    """La parte de cada lote que toca a este proceso, ya en su acelerador.

    No conoce el modelo: el hilo que adelanta lotes la sigue un momento cuando `fit` ha acabado, y
    lo guardaría.
    Errores: `ValueError` si un lote no se reparte por igual entre los procesos.
    """
    rank, world = accelerator.process_index, accelerator.num_processes
    for batch in batches:
        if world > 1 and n_examples(batch) % world:
            raise ValueError(
                f"un lote de {n_examples(batch)} ejemplos no se reparte entre {world} procesos: "
                "usa un tamaño de lote múltiplo del número de procesos"
            )
        yield moved(every_other(batch, rank, world), accelerator.device)
