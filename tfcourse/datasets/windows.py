"""Ventanas sueltas de un texto: para entrenar y para medir un modelo de contexto limitado."""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Int
from torch import Tensor


def random_windows(
    ids: Int[Tensor, "N"], *, batch_size: int, length: int, seed: int
) -> Iterator[tuple[Int[Tensor, "B L+1"]]]:
    """Lotes sin fin de ventanas que empiezan en cualquier sitio: `length` entradas y una más.

    Errores: `ValueError` si el texto no llega a una ventana.
    """
    if len(ids) <= length:
        raise ValueError(
            f"el texto tiene {len(ids)} tokens y una ventana necesita {length + 1}: usa un texto "
            "más largo o ventanas más cortas"
        )
    generator = torch.Generator().manual_seed(seed)
    return _endless(ids, torch.arange(length + 1), batch_size, generator)


def _endless(ids: Tensor, offsets: Tensor, batch_size: int, generator: torch.Generator):
    while True:
        starts = torch.randint(len(ids) - len(offsets) + 1, (batch_size, 1), generator=generator)
        yield (
            ids[(starts + offsets).to(ids.device)].long(),
        )  # un texto largo se guarda en 32 bits


def sliding_windows(
    ids: Int[Tensor, "N"], *, length: int, stride: int
) -> tuple[Int[Tensor, "W L"], Int[Tensor, "W L"], Bool[Tensor, "W L"]]:
    """Ventanas solapadas que recorren un texto: entradas, objetivos y qué objetivos cuentan.

    Cada token del texto, menos el primero, cuenta una sola vez, y salvo en la primera ventana tiene
    delante al menos `length − stride` tokens de contexto.
    Errores: `ValueError` si `stride` no está entre 1 y `length` o el texto no llega a una ventana.
    """
    if not 1 <= stride <= length or len(ids) <= length:
        raise ValueError(
            f"length={length}, stride={stride} y un texto de {len(ids)} tokens: hace falta "
            "1 ≤ stride ≤ length, y un texto más largo que una ventana"
        )
    last = len(ids) - length - 1
    starts = torch.tensor([*range(0, last, stride), last])
    places = starts[:, None] + torch.arange(length)
    # Lo que ya contó la ventana anterior no vuelve a contar.
    counted_until = torch.cat([torch.tensor([-1]), starts[:-1] + length - 1])
    places = places.to(ids.device)
    fresh = places > counted_until[:, None].to(ids.device)
    return ids[places], ids[places + 1], fresh
