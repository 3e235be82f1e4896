"""Leer en paralelo un conjunto que no cabe en memoria, y poder seguir donde se dejó."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset, default_collate

WORKERS_VARIABLE = "TFCOURSE_LECTORES"


class EndlessLoader:
    """Lotes sin fin de un conjunto, en otro orden cada vuelta, que leen varios procesos a la vez.

    `collate` junta una lista de ejemplos en un lote; sin ella, los tensores se apilan. El azar de
    cada ejemplo (recortes, ruido) sale de la semilla y de su lugar en la lectura: no depende de
    cuántos procesos leen ni de si se ha parado a la mitad.
    Errores: `ValueError` si no hay ni un lote.
    """

    def __init__(
        self,
        data: Dataset,
        batch_size: int,
        *,
        seed: int,
        collate: Callable[[list], Any] | None = None,
        workers: int | None = None,
    ):
        if len(data) < batch_size:
            raise ValueError(
                f"hay {len(data)} ejemplos y el lote pide {batch_size}: baja batch_size o revisa "
                "la carpeta de los datos"
            )
        self.data, self.batch_size, self.seed = data, batch_size, seed
        self.collate = collate or _stacked
        self.workers = default_workers() if workers is None else workers

    def __iter__(self) -> Iterator:
        return self.after(0)

    def after(self, n_batches: int) -> Iterator:
        """Los lotes que siguen a los `n_batches` primeros, sin leer los que se saltan."""
        return iter(
            DataLoader(
                _Seeded(self.data, self.seed),
                batch_sampler=_Order(len(self.data), self.batch_size, self.seed, n_batches),
                collate_fn=self.collate,
                num_workers=self.workers,
                generator=torch.Generator(),  # si no, tira del azar de quien entrena
            )
        )


def default_workers() -> int:
    """Procesos que leen: `TFCOURSE_LECTORES` o, sin ella, los núcleos que haya, hasta ocho.

    Errores: `ValueError` si la variable no es un número entero.
    """
    text = os.environ.get(WORKERS_VARIABLE, "")
    if not text:
        return min(8, os.cpu_count() or 1)
    if not text.isdigit():
        raise ValueError(f"{WORKERS_VARIABLE}={text!r} no vale: escribe un número entero, p. ej. 4")
    return int(text)


def _stacked(rows: list) -> Any:
    """Los ejemplos apilados, en una tupla si ellos lo son: PyTorch daría una lista."""
    batch = default_collate(rows)
    return tuple(batch) if isinstance(rows[0], tuple) and isinstance(batch, list) else batch


class _Order:
    """Qué ejemplos van en cada lote: `(lugar en la lectura, ejemplo)`."""

    def __init__(self, n_examples: int, batch_size: int, seed: int, first: int):
        self.n_examples, self.batch_size = n_examples, batch_size
        self.seed, self.first = seed, first

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        per_round = self.n_examples // self.batch_size
        number = self.first
        while True:
            lap, place = divmod(number, per_round)
            generator = torch.Generator().manual_seed(self.seed * 1_000_003 + lap)
            order = torch.randperm(self.n_examples, generator=generator)
            for batch in order.split(self.batch_size)[place:per_round]:
                start = number * self.batch_size
                yield [(start + i, int(row)) for i, row in enumerate(batch)]
                number += 1


class _Seeded(Dataset):
    """El conjunto, con el azar de cada ejemplo sembrado por su lugar en la lectura."""

    def __init__(self, data: Dataset, seed: int):
        self.data, self.seed = data, seed

    def __getitem__(self, place: tuple[int, int]):
        position, row = place
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed * 1_000_003 + position)
            return self.data[row]
