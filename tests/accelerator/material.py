"""Tensores diminutos en un dispositivo, para los casos ligeros."""

import torch
from torch import Tensor


def floats(device: torch.device, *shape: int) -> Tensor:
    """Números al azar, con gradiente."""
    return torch.randn(*shape, device=device, requires_grad=True)


def ids(device: torch.device, high: int, *shape: int, low: int = 0) -> Tensor:
    """Símbolos entre `low` y `high` − 1."""
    return torch.randint(low, high, shape, device=device)


def counts(device: torch.device, *values: int) -> Tensor:
    """Longitudes, o cuántos hay de algo."""
    return torch.tensor(values, device=device)


def yes(device: torch.device, *shape: int) -> Tensor:
    """Una máscara que deja verlo todo."""
    return torch.ones(*shape, dtype=torch.bool, device=device)


def chosen(device: torch.device, *shape: int) -> Tensor:
    """Posiciones elegidas: una de cada dos."""
    place = torch.arange(torch.Size(shape).numel(), device=device)
    return (place % 2 == 0).view(shape)
