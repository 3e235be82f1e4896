"""Posiciones en una imagen: senos en dos dimensiones, y llevar las aprendidas a otro tamaño."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.positions import sinusoidal_positions


def sinusoidal_positions_2d(rows: int, columns: int, d_model: int) -> Float[Tensor, "N D"]:
    """Posiciones sinusoidales en dos dimensiones: media anchura dice la fila y media, la columna.

    Van por filas, como los parches. Fuente: Vaswani et al. (2017), § 3.5, en cada eje.
    Errores: `ValueError` si `d_model` no es múltiplo de 4.
    """
    if d_model % 4:
        raise ValueError(
            f"d_model={d_model}: cada eje necesita la mitad, y esa mitad, senos y cosenos; usa un "
            f"múltiplo de 4, p. ej. d_model={d_model // 4 * 4 + 4}"
        )
    row = sinusoidal_positions(rows, d_model // 2)[:, None].expand(-1, columns, -1)
    column = sinusoidal_positions(columns, d_model // 2)[None].expand(rows, -1, -1)
    return torch.cat([row, column], dim=-1).flatten(0, 1)


def resize_positions(
    table: Float[Tensor, "N D"], grid: tuple[int, int], new_grid: tuple[int, int]
) -> Float[Tensor, "M D"]:
    """Lleva las posiciones aprendidas en una rejilla de parches a otra, por interpolación bicúbica.

    Las filas que sobran al principio (el token de clase) se dejan como están. Con la misma rejilla
    devuelve la misma tabla.
    Fuente: Dosovitskiy et al. (2021), § 3.2. Errores: `ValueError` si la tabla no tiene una fila
    por parche.
    """
    n_prefix = len(table) - grid[0] * grid[1]
    if not 0 <= n_prefix <= 2 or min(new_grid) < 1:
        raise ValueError(
            f"la tabla tiene {len(table)} filas y la rejilla {grid[0]} × {grid[1]} son "
            f"{grid[0] * grid[1]} parches (más uno o dos tokens de clase): da la rejilla con la "
            "que se aprendió, y una nueva de una casilla o más por lado"
        )
    if grid == new_grid:
        return table
    prefix, patches = table[:n_prefix], table[n_prefix:]
    image = patches.T.unflatten(-1, grid)[None]  # una imagen con un canal por componente
    resized = F.interpolate(image, size=new_grid, mode="bicubic", align_corners=True)
    return torch.cat([prefix, resized[0].flatten(1).T])


class FixedPositions(nn.Module):
    """Suma a cada token una fila de una tabla que no se aprende; los primeros, sin fila, no ganan
    nada.

    Errores: `ValueError` si la tabla tiene más filas que tokens.
    """

    def __init__(self, table: Float[Tensor, "N D"]):
        super().__init__()
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Añade las filas a los últimos tokens, que son los parches."""
        n_prefix = x.shape[1] - len(self.table)
        if n_prefix < 0:
            raise ValueError(
                f"hay {x.shape[1]} tokens y {len(self.table)} posiciones: la imagen es más pequeña "
                "que las del modelo; crea el modelo con ese image_size"
            )
        return torch.cat([x[:, :n_prefix], x[:, n_prefix:] + self.table.to(x.dtype)], dim=1)
