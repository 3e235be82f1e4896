"""Lotes: el orden en que un entrenamiento recorre sus ejemplos."""

from collections.abc import Iterator

import torch
from torch import Tensor

CHUNK_BATCHES = 16  # cuántos lotes se barajan juntos cuando se agrupa por longitud


def minibatches(
    *tensors: Tensor, batch_size: int, seed: int = 0, group_by: Tensor | None = None
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin, barajados con su propia semilla.

    Con `group_by` (un número por ejemplo, p. ej. su longitud) cada lote reúne ejemplos parecidos,
    y así se gasta menos en relleno; el orden de los lotes sigue siendo aleatorio.
    Errores: `ValueError` si los tensores no tienen los mismos ejemplos o no llenan un lote.
    """
    n_examples = len(tensors[0])
    if any(len(tensor) != n_examples for tensor in tensors):
        sizes = ", ".join(str(len(tensor)) for tensor in tensors)
        raise ValueError(f"los tensores tienen {sizes} ejemplos: deben tener los mismos")
    if not 0 < batch_size <= n_examples:
        raise ValueError(
            f"batch_size={batch_size} con {n_examples} ejemplos: usa un tamaño entre 1 y "
            f"{n_examples}"
        )
    # El orden se decide en la CPU, donde vive el generador: sale el mismo en cualquier dispositivo.
    return _endless(tensors, batch_size, seed, None if group_by is None else group_by.cpu())


def _endless(
    tensors: tuple[Tensor, ...], batch_size: int, seed: int, group_by: Tensor | None
) -> Iterator[tuple[Tensor, ...]]:
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(len(tensors[0]), generator=generator)
        if group_by is not None:
            chunks = order.split(CHUNK_BATCHES * batch_size)
            order = torch.cat([chunk[group_by[chunk].argsort(stable=True)] for chunk in chunks])
        batches = order[: len(order) // batch_size * batch_size].view(-1, batch_size)
        for rows in batches[torch.randperm(len(batches), generator=generator)]:
            yield tuple(tensor[rows] for tensor in tensors)


def trim(tensor: Tensor, pad_id: int) -> Tensor:
    """Quita las columnas finales que son relleno en todo el lote."""
    used = (tensor != pad_id).any(dim=0).nonzero()
    return tensor[:, : int(used.max()) + 1] if len(used) else tensor[:, :0]
