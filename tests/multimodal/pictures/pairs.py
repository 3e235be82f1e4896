"""Unas pocas parejas de dibujo y nombre, para las pruebas."""

from tfcourse.datasets.pictures.named_pictures import NamedPictures
from tfcourse.multimodal.pictures.pairs import split_named


def few_pairs(n: int = 24) -> NamedPictures:
    """Las primeras parejas de unas reservadas."""
    pairs = split_named(0, 200)[1]
    return type(pairs)(*(part[:n] for part in pairs.tensors()))
