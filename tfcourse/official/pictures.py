"""Cómo se preparan las fotos de un modelo publicado: lo dice un archivo que va con sus pesos."""

from collections.abc import Callable
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.official.sources import read_json

PREPROCESSOR = "preprocessor_config.json"
Prepare = Callable[[Tensor], Tensor]


def published_colors(folder: Path) -> Prepare:
    """Resta a cada color la media con que se entrenó un modelo y divide entre su desviación.

    Recibe imágenes (B, 3, alto, ancho), entre 0 y 1. Errores: `FileNotFoundError` si en la carpeta
    falta el archivo que los dice; `ValueError` si no los dice.
    """
    found = read_json(folder / PREPROCESSOR)
    if not {"image_mean", "image_std"} <= found.keys():
        raise ValueError(
            f"en «{PREPROCESSOR}» faltan image_mean e image_std: vuelve a copiarlo de su página"
        )

    def prepare(images: Float[Tensor, "B 3 Y X"]) -> Float[Tensor, "B 3 Y X"]:
        mean, std = (
            torch.tensor(found[name], dtype=images.dtype, device=images.device).reshape(3, 1, 1)
            for name in ("image_mean", "image_std")
        )
        return (images - mean) / std

    return prepare
