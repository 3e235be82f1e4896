"""A qué mira un detector de conjuntos: cuánto de la mirada cae donde responde."""

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.geometry.boxes import to_corners
from tfcourse.layers.image.coordinate_waves import cell_centers


def share_inside(
    looks: Float[Tensor, "N L"],
    boxes: Float[Tensor, "N 4"],
    rows: int,
    columns: int,
) -> tuple[Float[Tensor, "N"], Float[Tensor, "N"]]:
    """Parte de la mirada de cada consulta que cae en su caja, y parte de las casillas que ocupa.

    `looks` suma 1 por consulta, sobre `rows * columns` casillas. Una casilla está en la caja si lo
    está su centro: una caja diminuta puede no tener ninguna, y de ella sale 0 y 0.
    """
    cells, corners = cell_centers(rows, columns).to(boxes), to_corners(boxes)[:, None]
    covered = ((cells >= corners[..., :2]) & (cells <= corners[..., 2:])).all(-1)
    return torch.where(covered, looks, 0).sum(-1), covered.to(looks).mean(-1)
