"""Problema de la suma: dos números marcados, lejos uno del otro, que hay que sumar al final."""

from collections.abc import Iterator

import torch
from jaxtyping import Float
from torch import Tensor

# Error de quien responde siempre 1, la media: la varianza de la suma de dos uniformes en [0, 1].
ADDING_BASELINE = 1 / 6


def adding_examples(
    n: int, length: int, generator: torch.Generator
) -> tuple[Float[Tensor, "B T 2"], Float[Tensor, "B 1"]]:
    """Ejemplos del problema de la suma: secuencias `(n, length, 2)` y respuestas `(n, 1)`.

    Cada paso trae un número entre 0 y 1 y una marca. La marca vale 1 en dos pasos, uno de
    cada mitad, y 0 en los demás; la respuesta es la suma de los dos números marcados.
    Errores: `ValueError` si `n` no es positivo o la secuencia no tiene dos mitades.
    Fuente: Hochreiter y Schmidhuber (1997), § 5.4; con números en [0, 1], Le et al.
    (2015), § 4.1.
    """
    if n < 1 or length < 2:
        raise ValueError(
            f"n={n} ejemplos de length={length} pasos: hace falta al menos un ejemplo y "
            "dos pasos, uno para cada marca"
        )
    half = length // 2
    numbers = torch.rand(n, length, generator=generator)
    marks = torch.zeros(n, length)
    marks.scatter_(1, torch.randint(0, half, (n, 1), generator=generator), 1.0)
    marks.scatter_(1, torch.randint(half, length, (n, 1), generator=generator), 1.0)
    answers = (numbers * marks).sum(dim=1, keepdim=True)
    return torch.stack([numbers, marks], dim=-1), answers


def adding_batches(
    batch_size: int, length: int, seed: int = 0
) -> Iterator[tuple[Float[Tensor, "B T 2"], Float[Tensor, "B 1"]]]:
    """Lotes nuevos sin fin: ningún ejemplo se repite, así que no hay nada que memorizar."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield adding_examples(batch_size, length, generator)
