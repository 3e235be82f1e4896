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
    batch_size: int, length: int, n_symbols: int, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Un lote `(entrada, longitudes, salida)`; la salida lleva su inicio y su fin.

    Los símbolos van de `FIRST_SYMBOL` en adelante: hacen falta `FIRST_SYMBOL + n_symbols` números.
    Errores: `ValueError` si algún tamaño no es positivo.
    """
    if min(batch_size, length, n_symbols) < 1:
        raise ValueError(
            f"batch_size={batch_size}, length={length}, n_symbols={n_symbols}: los tres tienen que "
            "ser positivos"
        )
    last = FIRST_SYMBOL + n_symbols
    source = torch.randint(FIRST_SYMBOL, last, (batch_size, length), generator=generator)
    start = torch.full((batch_size, 1), Vocabulary.start_id)
    stop = torch.full((batch_size, 1), Vocabulary.stop_id)
    target = torch.cat([start, source.flip(1), stop], dim=1)
    return source, torch.full((batch_size,), length), target


def blind_reversal_loss(length: int, n_symbols: int) -> float:
    """Entropía cruzada media de quien no lee la entrada: acierta el fin y nada más."""
    return length * math.log(n_symbols) / (length + 1)


def reversal_batches(
    batch_size: int, length: int, n_symbols: int, seed: int
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin, todos nuevos, con su propia semilla."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield reversal_batch(batch_size, length, n_symbols, generator)
