"""Leer fotos con anotaciones: sin copiarlas en cada proceso, movidas al azar o en su orden."""

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from tfcourse.datasets.folders.loading import default_workers

CROPPED = 0.5  # la parte de las veces que se recorta
SMALLEST, WIDEST = 0.3, 4 / 3  # lo que mide un recorte, en partes de la foto, y su forma


class Packed:
    """Una lista que no cambia, en un solo bloque de bytes que comparten los procesos que leen.

    Con una lista corriente, cada proceso acabaría con su copia: leer un objeto de Python ya escribe
    en su memoria, en la cuenta de quién lo usa.
    """

    def __init__(self, items: Iterable):
        pieces = [pickle.dumps(item) for item in items]
        self._bounds = np.cumsum([0, *map(len, pieces)])
        self._bytes = np.frombuffer(b"".join(pieces), dtype=np.uint8)

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __getitem__(self, index: int) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(index)
        start, end = self._bounds[index : index + 2]
        return pickle.loads(self._bytes[start:end].tobytes())


def photo_moves(size: int) -> Callable:
    """Aumento de fotos con anotaciones: reflejo y, la mitad de las veces, un recorte.

    El recorte sale cuadrado, de `size` píxeles. Mueve a la vez la foto, sus cajas y sus máscaras.
    Fuente: como el de Carion et al. (2020), § 4, con torchvision.
    """
    from torchvision.transforms import v2

    crop = v2.RandomResizedCrop(
        [size, size], scale=(SMALLEST, 1.0), ratio=(1 / WIDEST, WIDEST), antialias=True
    )
    return v2.Compose([v2.RandomHorizontalFlip(), v2.RandomApply([crop], p=CROPPED)])


def photos_in_order(photos: Dataset, batch_size: int) -> Iterator[Float[Tensor, "B 3 S S"]]:
    """Las fotos de un conjunto, sin sus notas, una vez y en su orden: para evaluar."""
    return iter(
        DataLoader(
            photos,
            batch_size,
            collate_fn=_only_photos,
            num_workers=default_workers(),
            generator=torch.Generator(),  # si no, tira del azar de quien evalúa
        )
    )


def _only_photos(rows: list[tuple]) -> Tensor:
    return torch.stack([row[0] for row in rows])


def together(rows: Sequence[tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
    """Un lote de ejemplos que son tuplas de tensores de la misma forma: un `collate`."""
    return tuple(torch.stack(part) for part in zip(*rows, strict=True))


def check_photos(pictures: Path, names: Iterable[str]) -> None:
    """Error si en la carpeta no están todas las fotos que nombran las notas."""
    there = {entry.name for entry in os.scandir(pictures)}
    wanted = list(names)
    missing = [name for name in wanted if name not in there]
    if missing:
        raise FileNotFoundError(
            f"faltan {len(missing)} de las {len(wanted)} fotos en {pictures}, p. ej. {missing[0]}: "
            "la descarga se quedó a medias; vuelve a descargarla y a descomprimirla"
        )
