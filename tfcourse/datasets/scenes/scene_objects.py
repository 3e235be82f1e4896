"""Lo que se pinta en una escena: formas, dígitos manuscritos, colores y fondos."""

from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

# Qué puntos son de cada forma, vistos desde ella: −1 y 1 son sus bordes, y v crece hacia abajo.
RULES = {
    "círculo": lambda u, v: u.square() + v.square() <= 1,
    "cuadrado": lambda u, v: torch.maximum(u.abs(), v.abs()) <= 1,
    "triángulo": lambda u, v: (v <= 1) & (u.abs() <= (v + 1) / 2),
    "cruz": lambda u, v: (
        (torch.minimum(u.abs(), v.abs()) <= 0.34) & (torch.maximum(u.abs(), v.abs()) <= 1)
    ),
}
SHAPES = tuple(RULES)
TRAIN_PART = 2 / 3  # los dígitos están en orden de escritor: así los de evaluar son de otras manos
INK = 0.35  # desde qué tinta, de 0 a 1, un punto de un dígito cuenta como suyo


def shape_masks(
    classes: Int[Tensor, "B M"],
    centers: Float[Tensor, "B M 2"],
    sides: Float[Tensor, "B M 2"],
    size: int,
) -> Float[Tensor, "B M S S"]:
    """Dibuja cada forma: 1 dentro y 0 fuera. Centros y lados, en píxeles (x, y)."""
    u, v = torch.broadcast_tensors(*_own_coordinates(centers, sides, size))
    inside = torch.zeros(u.shape)
    for number, name in enumerate(SHAPES):
        rows = classes == number
        inside[rows] = RULES[name](u[rows], v[rows]).float()
    return inside


def digit_masks(
    classes: Int[Tensor, "B M"],
    centers: Float[Tensor, "B M 2"],
    sides: Float[Tensor, "B M 2"],
    size: int,
    generator: torch.Generator,
    *,
    reserved: bool,
) -> Float[Tensor, "B M S S"]:
    """Pega un dígito manuscrito de cada clase, estirado hasta su lado: la tinta, de 0 a 1.

    Con `reserved`, los dígitos son de la parte que no se usa para entrenar.
    """
    pictures, first, count = digit_pictures(reserved)
    drawn = torch.rand(classes.shape, generator=generator)
    index = first[classes] + (drawn * count[classes]).long()
    u, v = _own_coordinates(centers, sides, size)
    u, v = torch.broadcast_tensors(u, v)
    ink = F.grid_sample(
        pictures[index].flatten(0, 1)[:, None],
        torch.stack([u, v], dim=-1).flatten(0, 1),
        padding_mode="zeros",
        align_corners=False,
    )
    ink = ink.view(*classes.shape, size, size)
    # El borde de la tinta se mezcla con el fondo, pero desde INK el punto ya es del dígito.
    return (0.5 + (ink - INK) / (1 - INK)).clamp(0, 1) * (ink > INK)


@cache
def digit_pictures(
    reserved: bool,
) -> tuple[Float[Tensor, "N 8 8"], Int[Tensor, "10"], Int[Tensor, "10"]]:
    """Los dígitos de scikit-learn, ordenados por clase, con dónde empieza y cuántos tiene cada una.

    Fuente: Alpaydin y Kaynak (1998), CC BY 4.0.
    """
    from sklearn.datasets import load_digits

    data = load_digits()
    pictures = torch.tensor(data.images, dtype=torch.float32) / 16
    labels = torch.tensor(data.target)
    cut = round(TRAIN_PART * len(labels))
    part = slice(cut, None) if reserved else slice(cut)
    pictures, labels = pictures[part], labels[part]
    order = labels.argsort(stable=True)
    count = labels.bincount(minlength=10)
    return pictures[order], count.cumsum(0) - count, count


def random_colors(many: tuple[int, ...], generator: torch.Generator) -> Float[Tensor, "*M 3"]:
    """Colores vivos y claros, de cualquier tono: se distinguen de cualquier fondo."""
    hue = torch.rand(*many, 1, generator=generator)
    saturation = 0.3 + 0.7 * torch.rand(*many, 1, generator=generator)
    value = 0.75 + 0.25 * torch.rand(*many, 1, generator=generator)
    # De tono, saturación y valor a rojo, verde y azul: tres dientes desfasados un tercio.
    phase = (hue + torch.tensor([0.0, 2 / 3, 1 / 3])) % 1
    teeth = ((phase * 6 - 3).abs() - 1).clamp(0, 1)
    return value * (1 - saturation * (1 - teeth))


def random_backgrounds(
    batch_size: int, size: int, generator: torch.Generator, *, uneven: bool
) -> Float[Tensor, "B 3 S S"]:
    """Fondos oscuros: de un solo color o, con `uneven`, de manchas que cambian despacio."""
    coarse = 4 if uneven else 1
    colors = 0.05 + 0.35 * torch.rand(batch_size, 3, coarse, coarse, generator=generator)
    return F.interpolate(colors, size=(size, size), mode="bilinear", align_corners=False)


def _own_coordinates(centers, sides, size: int):
    """Cada punto de la imagen visto desde cada objeto: −1 y 1 son sus bordes."""
    pixels = torch.arange(size) + 0.5
    u = (pixels - centers[..., :1]) / (sides[..., :1] / 2)
    v = (pixels - centers[..., 1:]) / (sides[..., 1:] / 2)
    return u[..., None, :], v[..., None]
