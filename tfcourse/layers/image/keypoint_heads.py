"""Cabezas de pose: tres maneras de pasar del vector de una articulación a un sitio de la imagen."""

import math
from typing import Protocol, runtime_checkable

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

SPREAD = 0.02  # la desviación de las campanas, en partes de la imagen: algo más de un píxel de 64


@runtime_checkable
class KeypointHead(Protocol):
    """Lo que hace una cabeza: predecir, aprender y leer el sitio y la confianza."""

    def __call__(self, tokens: Tensor) -> Tensor:
        """Lo que se predice de cada articulación."""

    def loss(self, predicted: Tensor, points: Tensor) -> Tensor:
        """Lo que cuesta, dados los sitios verdaderos, entre 0 y 1."""

    def decode(self, predicted: Tensor) -> tuple[Tensor, Tensor]:
        """El sitio de cada articulación y cuánto se fía."""


class RegressionHead(nn.Module):
    """Cabeza de regresión: dos números, x e y, entre 0 y 1. No sabe decir cuánto se fía."""

    def __init__(self, d_model: int):
        super().__init__()
        self.projection = nn.Linear(d_model, 2)

    def forward(self, tokens: Float[Tensor, "B K D"]) -> Float[Tensor, "B K 2"]:
        """El sitio de cada articulación."""
        return self.projection(tokens).sigmoid()

    def loss(
        self, predicted: Float[Tensor, "*B 2"], points: Float[Tensor, "*B 2"]
    ) -> Float[Tensor, ""]:
        """Distancia L1 media."""
        return (predicted - points).abs().mean()

    def decode(
        self, predicted: Float[Tensor, "B K 2"]
    ) -> tuple[Float[Tensor, "B K 2"], Float[Tensor, "B K"]]:
        """Lo predicho es el sitio; la confianza es siempre 1."""
        return predicted, torch.ones_like(predicted[..., 0])


def bell(points: Float[Tensor, "*B"], bins: int, spread: float = SPREAD) -> Float[Tensor, "*B N"]:
    """Una campana de suma 1 por coordenada, repartida en `bins` cajones de la imagen.

    El centro del cajón i está en `(i + ½) / bins`.
    """
    centers = (torch.arange(bins, device=points.device) + 0.5) / bins
    away = (centers.to(points) - points[..., None]) / spread
    return (-0.5 * away.square()).softmax(dim=-1)


class SimCCHead(nn.Module):
    """Cabeza SimCC: cada coordenada es una clase, y la imagen, una fila de cajones por eje.

    Predice un reparto sobre los cajones de x y otro sobre los de y; aprende con la entropía cruzada
    contra una campana. Fuente: Li et al. (2022), § 3.
    """

    def __init__(self, d_model: int, bins: int):
        super().__init__()
        self.bins = bins
        self.projection = nn.Linear(d_model, 2 * bins)

    def forward(self, tokens: Float[Tensor, "B K D"]) -> Float[Tensor, "B K 2 N"]:
        """Logits de cada cajón de cada eje."""
        return self.projection(tokens).unflatten(-1, (2, self.bins))

    def loss(
        self, predicted: Float[Tensor, "*B 2 N"], points: Float[Tensor, "*B 2"]
    ) -> Float[Tensor, ""]:
        """Entropía cruzada media de los dos ejes."""
        return -(bell(points, self.bins) * predicted.log_softmax(dim=-1)).sum(-1).mean()

    def decode(
        self, predicted: Float[Tensor, "B K 2 N"]
    ) -> tuple[Float[Tensor, "B K 2"], Float[Tensor, "B K"]]:
        """El cajón más probable de cada eje; la confianza, lo probable que es su vecindad."""
        chances = predicted.softmax(dim=-1)
        best = chances.argmax(dim=-1)
        width = max(1, round(SPREAD * self.bins))  # una desviación a cada lado
        around = F.avg_pool1d(
            chances.flatten(1, 2), 2 * width + 1, 1, width, count_include_pad=True
        ).unflatten(1, best.shape[1:])
        mass = (2 * width + 1) * around.gather(-1, best[..., None])[..., 0]
        return (best + 0.5) / self.bins, mass.amin(dim=-1)


class HeatmapHead(nn.Module):
    """Cabeza de mapa de calor: una imagen pequeña por articulación, con una campana donde está.

    Cada vector se convierte en el mapa entero. Fuente: Li et al. (2021), TokenPose, § 3.2.
    """

    def __init__(self, d_model: int, side: int):
        super().__init__()
        self.side = side
        self.projection = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, side * side))

    def forward(self, tokens: Float[Tensor, "B K D"]) -> Float[Tensor, "B K N N"]:
        """Un mapa por articulación, sin acotar."""
        return self.projection(tokens).unflatten(-1, (self.side, self.side))

    def loss(
        self, predicted: Float[Tensor, "*B N N"], points: Float[Tensor, "*B 2"]
    ) -> Float[Tensor, ""]:
        """Error cuadrático con la campana, sumado en el mapa y medio entre articulaciones."""
        return (predicted - heatmaps(points, self.side)).square().sum((-1, -2)).mean()

    def decode(
        self, predicted: Float[Tensor, "B K N N"]
    ) -> tuple[Float[Tensor, "B K 2"], Float[Tensor, "B K"]]:
        """El punto más caliente, movido un cuarto de casilla hacia su vecina más caliente."""
        return peaks(predicted)


def heatmaps(
    points: Float[Tensor, "*B 2"], side: int, spread: float = 1.5 * SPREAD
) -> Float[Tensor, "*B N N"]:
    """Un mapa por punto, con una campana de altura 1 en él: primero la fila y luego la columna."""
    centers = ((torch.arange(side, device=points.device) + 0.5) / side).to(points)
    fall = (-0.5 * ((centers - points[..., None]) / spread).square()).exp()
    return fall[..., 1, :, None] * fall[..., 0, None, :]


def peaks(maps: Float[Tensor, "*B N N"]) -> tuple[Float[Tensor, "*B 2"], Float[Tensor, "*B"]]:
    """El punto más caliente de cada mapa, (x, y) entre 0 y 1, y su altura."""
    flat = maps.flatten(-2)
    height, place = flat.max(dim=-1)
    return refined(flat, place), height


def refined(flat: Float[Tensor, "*B L"], place: Int[Tensor, "*B"]) -> Float[Tensor, "*B 2"]:
    """El centro de la casilla `place`, movido un cuarto hacia la vecina más caliente de cada eje.

    `flat` son mapas cuadrados, aplanados. Fuente: Newell et al. (2016), § 4.1.
    """
    side = math.isqrt(flat.shape[-1])
    moved = []
    for at, step in ((place % side, 1), (place // side, side)):
        inside = (at > 0) & (at < side - 1)
        after, before = (
            flat.gather(-1, (place + sign * step * inside)[..., None])[..., 0] for sign in (1, -1)
        )
        moved.append((at + 0.5 + 0.25 * (after - before).sign()) / side)
    return torch.stack(moved, dim=-1)
