"""Cifras manuscritas: imágenes reales de 8 × 8 que llegan con scikit-learn, sin usar la red."""

from dataclasses import dataclass
from functools import cache

import torch
from jaxtyping import Float, Int
from torch import Tensor

N_DIGITS, SIDE, LEVELS = 1797, 8, 16


@dataclass(frozen=True)
class LabelledImages:
    """Imágenes con su clase: `images` (N, C, H, W), con píxeles entre 0 y 1, y `labels` (N,).

    Errores: `ValueError` si no hay una etiqueta por imagen.
    """

    images: Float[Tensor, "N C H W"]
    labels: Int[Tensor, "N"]

    def __post_init__(self):
        if len(self.images) != len(self.labels):
            raise ValueError(
                f"hay {len(self.images)} imágenes y {len(self.labels)} etiquetas: hace falta una "
                "por imagen"
            )

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: Tensor) -> "LabelledImages":
        """Las imágenes de esas filas."""
        return LabelledImages(self.images[rows], self.labels[rows])


@cache
def handwritten_digits() -> LabelledImages:
    """Todas las cifras, en el orden del archivo: 1797 imágenes `(1, 8, 8)` y sus diez clases.

    Son las de prueba del conjunto de Alpaydin y Kaynak (1998), de trece personas.
    Errores: `ModuleNotFoundError` si falta scikit-learn; `ValueError` si no son las que se esperan.
    """
    try:
        from sklearn.datasets import load_digits
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "las cifras llegan con scikit-learn: instálalo con «pip install scikit-learn»"
        ) from None
    digits = load_digits()
    if digits.images.shape != (N_DIGITS, SIDE, SIDE):
        raise ValueError(
            f"las cifras de scikit-learn tienen forma {digits.images.shape} y se esperaba "
            f"({N_DIGITS}, {SIDE}, {SIDE}): instala otra versión"
        )
    images = torch.from_numpy(digits.images).float().div(LEVELS).unsqueeze(1)
    return LabelledImages(images, torch.from_numpy(digits.target).long())


def split_digits(
    n_test: int = 397, seed: int = 0, *, by_order: bool = False
) -> tuple[LabelledImages, LabelledImages]:
    """Cifras para entrenar y para evaluar, barajadas con su propia semilla.

    Barajadas, una misma persona está en los dos lados. Con `by_order` se reservan las últimas del
    archivo, que escribieron otras manos.
    Errores: `ValueError` si no queda nada en alguno de los lados.
    """
    digits = handwritten_digits()
    if not 0 < n_test < len(digits):
        raise ValueError(f"n_test={n_test}: reserva entre 1 y {len(digits) - 1} cifras")
    order = torch.randperm(len(digits), generator=torch.Generator().manual_seed(seed))
    if by_order:
        order = torch.arange(len(digits)).flip(0)
    return digits.take(order[n_test:]), digits.take(order[:n_test])


def few_per_class(examples: LabelledImages, per_class: int, seed: int = 0) -> LabelledImages:
    """Las mismas imágenes de cada clase, elegidas al azar.

    Errores: `ValueError` si alguna clase no tiene tantas.
    """
    smallest = int(examples.labels.bincount().min())
    if not 0 < per_class <= smallest:
        raise ValueError(f"per_class={per_class}: la clase más pequeña tiene {smallest} imágenes")
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(examples), generator=generator)
    labels = examples.labels[order]
    chosen = [order[labels == label][:per_class] for label in labels.unique()]
    return examples.take(torch.cat(chosen))
