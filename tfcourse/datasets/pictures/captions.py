"""Dibujos con su descripción en español: una figura, su color y dónde está."""

import itertools
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

SIDE, RADIUS, NOISE = 16, 3.2, 0.15
COLOURS = {"rojo": (1, 0, 0), "verde": (0, 1, 0), "azul": (0, 0, 1), "amarillo": (1, 1, 0)}
SHAPES = ("círculo", "cuadrado", "triángulo", "cruz")
ROWS, COLUMNS = ("arriba", "abajo"), ("izquierda", "derecha")
KINDS = tuple(itertools.product(SHAPES, COLOURS, ROWS, COLUMNS))
# Se reservan para evaluar: sus palabras se ven por separado, pero nunca todas juntas.
HELD_OUT = tuple(
    (shape, colour, ROWS[i % 2], COLUMNS[(i + j) % 2])
    for i, shape in enumerate(SHAPES)
    for j, colour in enumerate(COLOURS)
    if (i + j) % 2 == 0
)


@dataclass(frozen=True)
class Drawings:
    """Dibujos en color, `(N, 3, 16, 16)`, y las palabras de cada descripción."""

    images: Float[Tensor, "N 3 16 16"]
    captions: list[list[str]]

    def __len__(self) -> int:
        return len(self.captions)


def caption(shape: str, colour: str, row: str, column: str) -> list[str]:
    """Descripción de un dibujo, con la concordancia que pide «cruz»."""
    article = "un"
    if shape == "cruz":
        article, colour = "una", colour[:-1] + "a" if colour.endswith("o") else colour
    return [article, shape, colour, row, "a", "la", column]


def drawings(
    n_drawings: int, kinds: tuple[tuple[str, ...], ...] = KINDS, seed: int = 0
) -> Drawings:
    """Dibujos al azar de las clases pedidas, con la figura algo movida y con ruido.

    Errores: `ValueError` si no se pide ninguno o no hay clases.
    """
    if n_drawings < 1 or not kinds:
        raise ValueError(
            f"se piden {n_drawings} dibujos de {len(kinds)} clases: hace falta al menos uno"
        )
    generator = torch.Generator().manual_seed(seed)
    chosen = torch.randint(len(kinds), (n_drawings,), generator=generator).tolist()
    shift = torch.randint(-1, 2, (n_drawings, 2), generator=generator).tolist()
    clean = [_draw(*kinds[kind], *move) for kind, move in zip(chosen, shift, strict=True)]
    images = torch.stack(clean)
    images = images + NOISE * torch.randn(images.shape, generator=generator)
    return Drawings(images, [caption(*kinds[kind]) for kind in chosen])


def _draw(shape: str, colour: str, row: str, column: str, down: int, across: int) -> Tensor:
    y, x = torch.meshgrid(torch.arange(SIDE), torch.arange(SIDE), indexing="ij")
    y = y - ((4 if row == "arriba" else 11) + down)
    x = x - ((4 if column == "izquierda" else 11) + across)
    inside = (y.abs() <= RADIUS) & (x.abs() <= RADIUS)
    if shape == "círculo":
        inside = x.square() + y.square() <= RADIUS**2
    elif shape == "triángulo":
        inside = inside & (x.abs() <= (y + RADIUS) / 2)
    elif shape == "cruz":
        inside = inside & ((x.abs() < 1) | (y.abs() < 1))
    return inside * torch.tensor(COLOURS[colour], dtype=torch.float32)[:, None, None]
