"""Un esqueleto de trece articulaciones: sus posturas, al azar, y su dibujo."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

# Izquierda y derecha son las de la figura, que está de frente: su izquierda, a nuestra derecha.
JOINTS = (
    "cabeza", "hombro izquierdo", "hombro derecho", "codo izquierdo", "codo derecho",
    "muñeca izquierda", "muñeca derecha", "cadera izquierda", "cadera derecha",
    "rodilla izquierda", "rodilla derecha", "tobillo izquierdo", "tobillo derecho",
)  # fmt: skip
BONES = (
    (0, 1), (0, 2), (1, 2), (1, 3), (3, 5), (2, 4), (4, 6),
    (1, 7), (2, 8), (7, 8), (7, 9), (9, 11), (8, 10), (10, 12),
)  # fmt: skip
# Medidas de una persona de pie, en partes de su altura: de centro a centro.
TORSO, SHOULDER, HIP, NECK = 0.30, 0.11, 0.07, 0.13
UPPER_ARM, FOREARM, THIGH, SHIN = 0.17, 0.16, 0.23, 0.23
HEAD_RADIUS, LIMB_RADIUS, TORSO_RADIUS = 0.075, 0.035, 0.08

# Ángulos en grados, desde la postura «de pie, brazos caídos»: (centro, mitad del recorrido).
# El del codo y el de la rodilla se miden desde el hueso anterior; hacia fuera, positivos.
ANGLES = {
    "tronco": (0.0, 15.0), "cuello": (0.0, 15.0),
    "hombro": (65.0, 75.0), "codo": (25.0, 75.0), "cadera": (18.0, 25.0), "rodilla": (-15.0, 30.0),
}  # fmt: skip
_BY_COLUMN = (
    "tronco", "cuello", "hombro", "hombro", "codo", "codo", "cadera", "cadera", "rodilla",
    "rodilla",
)  # fmt: skip
N_ANGLES = len(_BY_COLUMN)


def random_angles(
    many: tuple[int, ...], generator: torch.Generator, reach: float
) -> Float[Tensor, "*M A"]:
    """Los diez ángulos de cada postura, en radianes; `reach` encoge o agranda los recorridos."""
    table = torch.tensor([ANGLES[name] for name in _BY_COLUMN])
    drawn = 2 * torch.rand(*many, N_ANGLES, generator=generator) - 1
    return torch.deg2rad(table[:, 0] + reach * table[:, 1] * drawn)


def joints_from_angles(angles: Float[Tensor, "*M A"]) -> Float[Tensor, "*M 13 2"]:
    """Cinemática directa: de los ángulos a los sitios (x, y), con y hacia abajo y el tronco en 0.

    Cada hueso empieza donde acaba el anterior y suma su ángulo al de él.
    """
    lean, nod = angles[..., 0], angles[..., 0] + angles[..., 1]
    hips = torch.zeros(*lean.shape, 2)
    neck = hips - TORSO * _along(lean)
    across = torch.stack([lean.cos(), lean.sin()], dim=-1)
    joints = {0: neck - NECK * _along(nod)}
    for side, sign in ((0, 1.0), (1, -1.0)):
        shoulder, hip = neck + sign * SHOULDER * across, hips + sign * HIP * across
        arm, leg = angles[..., 2 + side], angles[..., 6 + side]
        forearm, shin = arm + angles[..., 4 + side], leg + angles[..., 8 + side]
        elbow = shoulder + UPPER_ARM * _along(lean - sign * arm)
        knee = hip + THIGH * _along(lean - sign * leg)
        joints |= {1 + side: shoulder, 3 + side: elbow, 7 + side: hip, 9 + side: knee}
        joints[5 + side] = elbow + FOREARM * _along(lean - sign * forearm)
        joints[11 + side] = knee + SHIN * _along(lean - sign * shin)
    return torch.stack([joints[k] for k in range(len(JOINTS))], dim=-2)


def _along(angle: Tensor) -> Tensor:
    """Hacia abajo, girado: con el ángulo positivo, hacia la izquierda de la imagen."""
    return torch.stack([-angle.sin(), angle.cos()], dim=-1)


class Drawn(NamedTuple):
    """Figuras dibujadas, cada una en su hoja: el color de cada punto y si es de la figura."""

    colors: Float[Tensor, "N 3 S S"]
    inside: Bool[Tensor, "N S S"]


_AT_ONCE = 256  # figuras que se dibujan a la vez
# Qué se pinta, en orden: de dónde a dónde, con qué grueso y de qué color.
# El 13 es el cuello, y el 14, el centro de la cadera.
_SKIN, _SHIRT, _TROUSERS = range(3)
_PARTS = (
    (7, 9, LIMB_RADIUS, _TROUSERS), (8, 10, LIMB_RADIUS, _TROUSERS),
    (9, 11, LIMB_RADIUS, _TROUSERS), (10, 12, LIMB_RADIUS, _TROUSERS),
    (0, 13, LIMB_RADIUS, _SKIN), (13, 14, TORSO_RADIUS, _SHIRT), (1, 2, LIMB_RADIUS, _SHIRT),
    (7, 8, LIMB_RADIUS, _TROUSERS), (1, 3, LIMB_RADIUS, _SHIRT), (2, 4, LIMB_RADIUS, _SHIRT),
    (3, 5, LIMB_RADIUS, _SKIN), (4, 6, LIMB_RADIUS, _SKIN), (0, 0, HEAD_RADIUS, _SKIN),
)  # fmt: skip


def draw_skeletons(
    joints: Float[Tensor, "N 13 2"],
    heights: Float[Tensor, "N"],
    palette: Float[Tensor, "N 3 3"],
    size: int,
) -> Drawn:
    """Dibuja todas las figuras, muchas a la vez: cada hueso es una cápsula.

    Sitios y alturas, en píxeles. Una cápsula son los puntos a menos de un radio de un segmento.
    """
    middle = torch.stack([joints[:, 1:3].mean(1), joints[:, 7:9].mean(1)], dim=1)
    places = torch.cat([joints, middle], dim=1)
    # Por partes: pedir memoria para miles de hojas a la vez cuesta más que pintarlas.
    parts = zip(*(x.split(_AT_ONCE) for x in (places, heights, palette)), strict=True)
    return Drawn(*map(torch.cat, zip(*(_draw(*part, size) for part in parts), strict=True)))


def _draw(places: Tensor, heights: Tensor, palette: Tensor, size: int) -> Drawn:
    """Una parte de las figuras, con los dos centros ya añadidos a sus articulaciones."""
    top = torch.full((len(places), size, size), -1, dtype=torch.int8)
    for part, (start, end, radius, _) in enumerate(_PARTS):
        away = _squared_distance(places[:, start], places[:, end], size)
        near = away <= (radius * heights).clamp(min=1.0).square()[:, None, None]
        top.masked_fill_(near, part)
    return Drawn(_paint(top, palette), top >= 0)


def _squared_distance(start: Tensor, end: Tensor, size: int) -> Float[Tensor, "N S S"]:
    """De cada punto de la imagen al segmento más cercano, al cuadrado."""
    pixels = torch.arange(size) + 0.5
    x, y = pixels - start[:, :1], pixels - start[:, 1:]
    bone = end - start
    length = bone.square().sum(1).clamp(min=1e-6)[:, None, None]
    done = (x * bone[:, :1])[:, None] + (y * bone[:, 1:])[:, :, None]
    done = (done / length).clamp(0, 1)
    across = x[:, None] - done * bone[:, :1, None]
    return across.square() + (y[:, :, None] - done * bone[:, 1:, None]).square()


def _paint(top: Int[Tensor, "N S S"], palette: Float[Tensor, "N 3 3"]) -> Float[Tensor, "N 3 S S"]:
    kinds = torch.tensor([kind for *_, kind in _PARTS])
    kind = kinds[top.clamp(min=0).long()].flatten(1)[:, None].expand(-1, 3, -1)
    return palette.transpose(1, 2).gather(2, kind).unflatten(2, top.shape[1:])


def neighbours() -> Bool[Tensor, "13 13"]:
    """Qué articulaciones están unidas por un hueso."""
    joined = torch.zeros(len(JOINTS), len(JOINTS), dtype=torch.bool)
    first, last = torch.tensor(BONES).T
    joined[first, last] = joined[last, first] = True
    return joined
