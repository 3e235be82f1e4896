"""Cajas: cambiar de formato y medir cuánto se parecen."""

import torch
from jaxtyping import Float
from torch import Tensor

TINY = 1e-9  # para dividir por áreas que pueden ser cero


def to_corners(boxes: Float[Tensor, "*B 4"]) -> Float[Tensor, "*B 4"]:
    """De centro y tamaño (cx, cy, w, h) a esquinas (x₁, y₁, x₂, y₂)."""
    center, size = boxes[..., :2], boxes[..., 2:]
    return torch.cat([center - size / 2, center + size / 2], dim=-1)


def to_centers(corners: Float[Tensor, "*B 4"]) -> Float[Tensor, "*B 4"]:
    """De esquinas (x₁, y₁, x₂, y₂) a centro y tamaño (cx, cy, w, h)."""
    low, high = corners[..., :2], corners[..., 2:]
    return torch.cat([(low + high) / 2, high - low], dim=-1)


def box_area(corners: Float[Tensor, "*B 4"]) -> Float[Tensor, "*B"]:
    """Área de cada caja. Errores: `ValueError` si alguna tiene las esquinas al revés."""
    sides = corners[..., 2:] - corners[..., :2]
    if (sides < 0).any():
        row = corners.reshape(-1, 4)[(sides < 0).any(-1).flatten()][0].tolist()
        raise ValueError(
            f"la caja {[round(x, 4) for x in row]} acaba antes de empezar: se esperaban esquinas "
            "(x₁, y₁, x₂, y₂) con x₁ ≤ x₂ e y₁ ≤ y₂; si vienen como centro y tamaño, pásalas por "
            "to_corners"
        )
    return sides.prod(dim=-1)


def overlap(
    first: Float[Tensor, "*B N 4"], second: Float[Tensor, "*B M 4"]
) -> tuple[Float[Tensor, "*B N M"], Float[Tensor, "*B N M"]]:
    """Área de la intersección y de la unión de cada caja con cada otra. Cajas por esquinas."""
    a, b = first[..., :, None, :], second[..., None, :, :]
    low = torch.maximum(a[..., :2], b[..., :2])
    high = torch.minimum(a[..., 2:], b[..., 2:])
    intersection = (high - low).clamp(min=0).prod(dim=-1)  # sin el corte, dos lados negativos
    union = box_area(first)[..., :, None] + box_area(second)[..., None, :] - intersection
    return intersection, union


def iou(first: Float[Tensor, "*B N 4"], second: Float[Tensor, "*B M 4"]) -> Float[Tensor, "*B N M"]:
    """Intersección entre unión (IoU) de cada caja con cada otra, de 0 a 1. Cajas por esquinas.

    Dos cajas sin área dan 0. Errores: `ValueError` si alguna tiene las esquinas al revés.
    """
    intersection, union = overlap(first, second)
    return intersection / union.clamp(min=TINY)


def giou(
    first: Float[Tensor, "*B N 4"], second: Float[Tensor, "*B M 4"]
) -> Float[Tensor, "*B N M"]:
    """IoU generalizada (GIoU) de cada caja con cada otra, de −1 a 1. Cajas por esquinas.

    GIoU = IoU − (C − U)/C, con U el área de la unión y C la de la caja más pequeña que contiene a
    las dos. Dos cajas sin área dan −1, o 0 si la que las contiene tampoco la tiene.
    Fuente: Rezatofighi et al. (2019), alg. 1.
    """
    intersection, union = overlap(first, second)
    a, b = first[..., :, None, :], second[..., None, :, :]
    low = torch.minimum(a[..., :2], b[..., :2])
    high = torch.maximum(a[..., 2:], b[..., 2:])
    hull = (high - low).prod(dim=-1)
    return intersection / union.clamp(min=TINY) - (hull - union) / hull.clamp(min=TINY)
