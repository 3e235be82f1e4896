"""Cajas como palabras: un vocabulario con coordenadas, clases y unos pocos símbolos."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.geometry.boxes import to_centers, to_corners

WORDS_PER_OBJECT = 5  # y₁, x₁, y₂, x₂ y la clase


def quantize(coordinates: Float[Tensor, "*B"], n_bins: int) -> Int[Tensor, "*B"]:
    """De una coordenada entre 0 y 1 a la marca más cercana de una regla con `n_bins` marcas.

    La primera marca está en 0 y la última en 1; lo que se sale de la imagen va al borde.
    Fuente: Chen et al. (2022), § 2.1. Errores: `ValueError` si no hay al menos dos marcas.
    """
    check_bins(n_bins)
    return (coordinates.clamp(0, 1) * (n_bins - 1)).round().long()


def dequantize(bins: Int[Tensor, "*B"], n_bins: int) -> Float[Tensor, "*B"]:
    """De una marca a su coordenada. Errores: `ValueError` si no hay al menos dos marcas."""
    check_bins(n_bins)
    return bins / (n_bins - 1)


def check_bins(n_bins: int) -> None:
    """Una regla necesita dos marcas: una en cada borde."""
    if n_bins < 2:
        raise ValueError(f"n_bins={n_bins}: hacen falta al menos dos marcas, una en cada borde")


@dataclass(frozen=True)
class BoxVocabulary:
    """Las palabras con las que se escribe una escena: `n_bins` coordenadas y `n_classes` clases.

    Van en una sola lista: primero las coordenadas, después las clases y al final cuatro símbolos:
    ruido, inicio, fin y relleno. Fuente: Chen et al. (2022), § 2.1. Errores: `ValueError` si faltan
    coordenadas o clases.
    """

    n_bins: int
    n_classes: int

    def __post_init__(self):
        check_bins(self.n_bins)
        if self.n_classes < 1:
            raise ValueError(f"n_classes={self.n_classes}: hace falta al menos una clase")

    @property
    def noise_id(self) -> int:
        """La clase «ruido»: lo que hay en esta caja no es ningún objeto."""
        return self.n_bins + self.n_classes

    @property
    def start_id(self) -> int:
        """Inicio de la secuencia."""
        return self.noise_id + 1

    @property
    def stop_id(self) -> int:
        """Fin: ya no hay más objetos."""
        return self.noise_id + 2

    @property
    def pad_id(self) -> int:
        """Relleno."""
        return self.noise_id + 3

    def __len__(self) -> int:
        return self.noise_id + 4

    def encode(
        self, boxes: Float[Tensor, "*B 4"], classes: Int[Tensor, "*B"]
    ) -> Int[Tensor, "*B 5"]:
        """Cinco palabras por objeto: y₁, x₁, y₂, x₂ y la clase. Cajas por centro y tamaño.

        Errores: `ValueError` si alguna clase no existe.
        """
        if classes.numel() and not 0 <= int(classes.min()) <= int(classes.max()) < self.n_classes:
            raise ValueError(
                f"hay clases entre {int(classes.min())} y {int(classes.max())} y el vocabulario "
                f"tiene {self.n_classes}: van de 0 a {self.n_classes - 1}"
            )
        x1, y1, x2, y2 = quantize(to_corners(boxes), self.n_bins).unbind(-1)
        return torch.stack([y1, x1, y2, x2, classes + self.n_bins], dim=-1)

    def decode_boxes(self, words: Int[Tensor, "*B 5"]) -> Float[Tensor, "*B 4"]:
        """La caja de cada objeto, por centro y tamaño. Si acaba antes de empezar, no mide nada."""
        y1, x1, y2, x2 = dequantize(words[..., :4], self.n_bins).unbind(-1)
        corners = torch.stack([x1, y1, torch.maximum(x1, x2), torch.maximum(y1, y2)], dim=-1)
        return to_centers(corners)

    def allowed(self, place: int, *, stop: bool = False) -> Bool[Tensor, "V"]:
        """Qué palabras pueden ir en el lugar `place` de la secuencia, contando desde 0.

        De cada cinco, cuatro coordenadas y una clase; con `stop`, al empezar un objeto se puede
        acabar.
        """
        ids = torch.arange(len(self))
        if place % WORDS_PER_OBJECT == WORDS_PER_OBJECT - 1:
            return (ids >= self.n_bins) & (ids < self.noise_id)
        starting = stop and place % WORDS_PER_OBJECT == 0
        return (ids < self.n_bins) | (starting & (ids == self.stop_id))

    def spell(self, words: Int[Tensor, "L"], class_names: tuple[str, ...]) -> list[str]:
        """La secuencia, para que la lea una persona. Errores: `ValueError` si sobra una palabra."""
        marks = ("RUIDO", "INICIO", "FIN", "·")
        names = [*map(str, range(self.n_bins)), *class_names, *marks]
        if len(names) != len(self):
            raise ValueError(
                f"hay {len(class_names)} nombres y el vocabulario tiene {self.n_classes} clases"
            )
        return [names[word] for word in words.tolist()]


def worst_iou(width: float, height: float, n_bins: int) -> float:
    """La menor IoU que puede quedar entre una caja y la misma escrita con `n_bins` marcas.

    Cada borde se mueve como mucho media marca, δ = 1/(2(n − 1)); lo peor es que los cuatro se metan
    hacia dentro: (1 − 2δ/w)(1 − 2δ/h). Si la caja cabe entre dos marcas, puede desaparecer: 0.
    """
    check_bins(n_bins)
    shrink = 1 / (n_bins - 1)
    return max(0.0, 1 - shrink / width) * max(0.0, 1 - shrink / height)
