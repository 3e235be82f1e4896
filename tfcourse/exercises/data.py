"""Datos de los casos de prueba: al azar, pero siempre los mismos."""

import contextlib
import random
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

_salt = 0


@contextlib.contextmanager
def other_data(salt: int) -> Iterator[None]:
    """Dentro del bloque, los mismos casos se fabrican con otros números (cero: los de siempre).

    Así, quien corrige una tarea prueba con datos que no están publicados.
    """
    global _salt
    before, _salt = _salt, salt
    try:
        yield
    finally:
        _salt = before


def seeded(seed: int) -> torch.Generator:
    """El azar de un caso: depende de su semilla y de la sal que haya puesto `other_data`."""
    return torch.Generator().manual_seed(seed + _salt)


def chance(seed: int) -> random.Random:
    """Lo mismo que `seeded`, para los casos que se hacen con listas, palabras y sorteos."""
    return random.Random(seed + _salt)


def random_tensors(
    *shapes: tuple[int, ...], seed: int, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, ...]:
    """Tensores normales de esas formas, con su propio azar: no toca la semilla del cuaderno."""
    generator = seeded(seed)
    return tuple(torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes)


def random_case(
    *shapes: tuple[int, ...], seed: int, dtype: torch.dtype = torch.float32
) -> Callable:
    """Fábrica de argumentos para un caso de prueba."""
    return lambda: random_tensors(*shapes, seed=seed, dtype=dtype)


def softmax_by_exp(scores: list[float]) -> list[float]:
    """Softmax de una fila, por su definición; resta el máximo para no desbordar."""
    top = max(scores)
    powers = [torch.tensor(score - top, dtype=torch.float64).exp().item() for score in scores]
    return [power / sum(powers) for power in powers]
