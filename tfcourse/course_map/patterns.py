"""Quién mira a quién: los dibujos del mapa, hechos con las máscaras del paquete."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool
from torch import Tensor

from tfcourse.layers.alignment.local import window_mask
from tfcourse.layers.image.shifted_windows import window_regions
from tfcourse.layers.masks import (
    causal_mask,
    foreground_mask,
    modality_mask,
    padding_mask,
    permutation_mask,
)

SIDE = 8  # tokens de cada dibujo
GRID = (4, 4)  # casillas de los mapas pequeños
WINDOW = 2


@dataclass(frozen=True)
class Pattern:
    """Un patrón de atención: una frase que lo dice y la máscara que lo dibuja."""

    meaning: str
    draw: Callable[[], Bool[Tensor, "Lq Lk"]]


def everyone(n_queries: int = SIDE, n_keys: int = SIDE) -> Bool[Tensor, "Lq Lk"]:
    """Todas las consultas miran todas las claves: solo se quita el relleno, y aquí no hay."""
    return padding_mask(torch.tensor([n_keys]), n_keys)[0, 0].expand(n_queries, -1)


def same_group(groups: Tensor) -> Bool[Tensor, "L L"]:
    """Cada token mira a los de su grupo."""
    return modality_mask(groups, "propia")[0, 0]


def window_groups(shift: int) -> Tensor:
    """En qué ventana cae cada casilla de un mapa pequeño, con las ventanas corridas `shift`."""
    rows, columns = (torch.arange(side) // WINDOW for side in GRID)
    windows = 10 * (2 * rows[:, None] + columns)  # ventanas del mapa, ya rodado…
    regions = window_regions(GRID, WINDOW, shift)  # …y de qué trozo viene cada casilla
    return (windows + regions).roll((shift, shift), dims=(0, 1)).flatten()


def blobs() -> Bool[Tensor, "Lq Lk"]:
    """Ocho consultas, cada una con su mancha en un mapa pequeño."""
    rows, columns = torch.meshgrid(*(torch.arange(side) for side in GRID), indexing="ij")
    turns = torch.arange(SIDE) * 2.4
    centers = 1.5 + torch.stack([turns.sin(), turns.cos()], dim=1)[..., None, None]
    far = (rows - centers[:, 0]).abs() + (columns - centers[:, 1]).abs()
    return foreground_mask((1.4 - far)[None], GRID)[0, 0]


ORDER = torch.tensor([[3, 0, 6, 1, 7, 4, 2, 5]])  # el turno de cada posición
PLACES = torch.arange(16)

PATTERNS = {
    "todos": Pattern("cada token mira a todos", everyone),
    "una consulta": Pattern(
        "un solo vector pregunta a toda la secuencia", lambda: everyone(1, SIDE)
    ),
    "cruzada": Pattern("unos preguntan y contestan otros", lambda: everyone(5, SIDE)),
    "causal": Pattern(
        "cada token se mira a sí mismo y a los anteriores", lambda: causal_mask(SIDE)[0, 0]
    ),
    "causal con memoria": Pattern(
        "causal, y además los del tramo anterior", lambda: causal_mask(4, SIDE)[0, 0]
    ),
    "por turnos": Pattern(
        "cada token se mira a sí mismo y a los que se leen antes, en un orden sorteado",
        lambda: permutation_mask(ORDER)[0, 0],
    ),
    "local": Pattern(
        "cada token mira a sus vecinos", lambda: window_mask(torch.arange(SIDE)[None], SIDE, 2)[0]
    ),
    "por ventanas": Pattern(
        "cada casilla mira a las de su ventana", lambda: same_group(window_groups(0))
    ),
    "ventanas desplazadas": Pattern(
        "lo mismo, con las ventanas corridas", lambda: same_group(window_groups(1))
    ),
    "enmascarada": Pattern("cada consulta mira donde está su máscara", blobs),
    "dentro del trozo": Pattern(
        "cada vector mira a los de su trozo", lambda: same_group(PLACES // 4)
    ),
    "entre trozos": Pattern(
        "cada vector mira a los que ocupan su lugar en otros trozos",
        lambda: same_group(PLACES % 4),
    ),
    "propia": Pattern(
        "cada modalidad se mira a sí misma", lambda: same_group(torch.arange(SIDE) // 4)
    ),
    "la otra": Pattern(
        "cada modalidad mira a la otra",
        lambda: modality_mask(torch.arange(SIDE) // 4, "otra")[0, 0],
    ),
}  # fmt: skip
