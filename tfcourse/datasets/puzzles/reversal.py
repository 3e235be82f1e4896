"""Secuencias del revés: se lee «3 1 4» y se escribe «4 1 3».

Es la tarea más pequeña que obliga a mirar a un sitio distinto en cada paso.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from tfcourse.tokenizers.vocabulary import SPECIAL_TOKENS, Vocabulary

FIRST_SYMBOL = len(SPECIAL_TOKENS)


def reversal_batch(
    batch_size: int, length: int, n_symbols: int, generator: torch.Generator, reserved: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """Un lote `(entrada, longitudes, salida)`; la salida lleva su inicio y su fin.

    Los símbolos van de `FIRST_SYMBOL` en adelante: hacen falta `FIRST_SYMBOL + n_symbols` números.
    Una de cada `n_symbols` secuencias se reserva para evaluar, aquellas cuyos números suman un
    múltiplo de `n_symbols`: con `reserved` salen solo esas y, sin él, solo las demás.
    Errores: `ValueError` si algún tamaño no es positivo o solo hay un símbolo.
    """
    if min(batch_size, length) < 1 or n_symbols < 2:
        raise ValueError(
            f"batch_size={batch_size}, length={length}, n_symbols={n_symbols}: los dos primeros "
            "tienen que ser positivos, y hacen falta dos símbolos o más"
        )
    numbers = torch.randint(n_symbols, (batch_size, length), generator=generator)
    remainder = torch.randint(1, n_symbols, (batch_size,), generator=generator)
    wanted = torch.zeros_like(remainder) if reserved else remainder
    numbers[:, -1] = (wanted - numbers[:, :-1].sum(dim=1)) % n_symbols
    source = numbers + FIRST_SYMBOL
    start = torch.full((batch_size, 1), Vocabulary.start_id)
    stop = torch.full((batch_size, 1), Vocabulary.stop_id)
    target = torch.cat([start, source.flip(1), stop], dim=1)
    return source, torch.full((batch_size,), length), target


def blind_reversal_loss(length: int, n_symbols: int) -> float:
    """Entropía cruzada media de quien no lee la entrada: acierta el fin y nada más.

    Cada sitio de la salida tiene todos los símbolos igual de probables.
    """
    return length * math.log(n_symbols) / (length + 1)


def reversal_batches(
    batch_size: int, length: int, n_symbols: int, seed: int
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes de entrenamiento sin fin, con su propia semilla y sin secuencias reservadas."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield reversal_batch(batch_size, length, n_symbols, generator)
