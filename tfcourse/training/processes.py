"""Varios procesos que entrenan a la vez: lo que tienen que acordar."""

import torch
import torch.distributed as dist
from torch import Tensor


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
