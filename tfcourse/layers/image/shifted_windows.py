"""Ventanas: la atención de un mapa, limitada a cuadrados que en la capa siguiente se mueven."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention


def split_windows(x: Shaped[Tensor, "B H W D"], size: int) -> Shaped[Tensor, "B N L D"]:
    """Reparte un mapa en ventanas de `size` × `size` casillas, por filas: `L = size²` en cada una.

    Errores: `ValueError` si los lados no se reparten en ventanas enteras.
    """
    check_windows(x.shape[1:3], size)
    rows = x.unflatten(2, (-1, size)).unflatten(1, (-1, size))  # B filas m columnas m D
    return rows.transpose(2, 3).flatten(3, 4).flatten(1, 2)


def join_windows(
    windows: Shaped[Tensor, "B N L D"], grid: tuple[int, int]
) -> Shaped[Tensor, "B H W D"]:
    """Recompone el mapa: deshace `split_windows`. `grid` son las filas y columnas de casillas."""
    size = round(windows.shape[2] ** 0.5)
    rows = windows.unflatten(2, (size, size)).unflatten(1, (grid[0] // size, grid[1] // size))
    return rows.transpose(2, 3).flatten(3, 4).flatten(1, 2)


def check_windows(grid: tuple[int, int], size: int) -> None:
    """Error si un mapa de esas casillas no se puede repartir en ventanas enteras."""
    if size < 1 or grid[0] % size or grid[1] % size:
        raise ValueError(
            f"un mapa de {grid[0]} × {grid[1]} no se reparte en ventanas de {size} × {size}: "
            "rellénalo antes o usa un divisor de los dos lados"
        )


def window_shifts(grid: tuple[int, int], size: int, shift: int) -> tuple[int, int]:
    """Cuánto se rueda cada lado: `shift`, o nada si en ese lado solo cabe una ventana.

    Errores: `ValueError` si el desplazamiento no es menor que la ventana.
    """
    if not 0 <= shift < size:
        raise ValueError(
            f"shift={shift} con ventanas de {size}: se desplaza menos de una ventana, p. ej. "
            f"shift={max(0, size // 2)}"
        )
    return tuple(shift if side > size else 0 for side in grid)


def window_regions(grid: tuple[int, int], size: int, shift: int) -> Int[Tensor, "H W"]:
    """De qué trozo viene cada casilla de un mapa ya rodado: de 0 a 8.

    Al rodar, las primeras filas (y columnas) pasan al final, junto a otras que estaban en el
    extremo contrario. Cada lado queda en tres tramos, y el mapa, en nueve trozos.
    Fuente: Liu et al. (2021), figura 4.
    """
    bands = []
    for side, rolled in zip(grid, window_shifts(grid, size, shift), strict=True):
        place = torch.arange(side)
        last_window, came_round = place >= side - size, place >= side - rolled
        bands.append(last_window.long() + came_round.long())
    return 3 * bands[0][:, None] + bands[1]


def shift_mask(grid: tuple[int, int], size: int, shift: int) -> Bool[Tensor, "N 1 L L"]:
    """Máscara de las ventanas desplazadas: solo se miran casillas que vienen del mismo trozo.

    `True` es «puede mirar»; hay una por ventana. Fuente: Liu et al. (2021), § 3.2 y figura 4.
    """
    regions = window_regions(grid, size, shift)[None, ..., None]
    regions = split_windows(regions, size)[0, :, :, 0]  # (ventanas, casillas)
    return (regions[:, :, None] == regions[:, None, :])[:, None]


def relative_places(size: int) -> Int[Tensor, "L L"]:
    """Fila de la tabla de sesgos que toca a cada pareja de casillas de una ventana.

    Depende solo de cuántas filas y columnas hay de la clave a la consulta: `(2·size − 1)²` casos.
    Fuente: Liu et al. (2021), § 3.2.
    """
    place = torch.arange(size)
    cells = torch.cartesian_prod(place, place)  # (fila, columna) de cada casilla
    offset = cells[:, None] - cells[None] + size - 1  # entre 0 y 2·size − 2
    return offset[..., 0] * (2 * size - 1) + offset[..., 1]


class WindowBias(nn.Module):
    """Sesgo relativo de una ventana: un número por cabeza y desplazamiento, que se suma al puntaje.

    Fuente: Liu et al. (2021), ec. 4.
    """

    def __init__(self, n_heads: int, size: int):
        super().__init__()
        self.table = nn.Embedding((2 * size - 1) ** 2, n_heads)
        nn.init.trunc_normal_(self.table.weight, std=0.02)
        self.register_buffer("places", relative_places(size), persistent=False)

    def forward(self) -> Float[Tensor, "H L L"]:
        """El sesgo de cada cabeza para cada pareja de casillas."""
        return self.table(self.places).permute(2, 0, 1)


class WindowAttention(nn.Module):
    """Atención por ventanas: cada casilla mira solo a las de su ventana.

    Con `shift`, el mapa se rueda antes, para que las ventanas caigan entre las de la capa anterior,
    y una máscara impide que se miren casillas que solo son vecinas por haber rodado. Un mapa que
    no se reparte en ventanas enteras se rellena con ceros, que también se miran, como en la
    versión de torchvision.
    Fuente: Liu et al. (2021), § 3.2. Errores: `ValueError` si `shift` no es menor que la ventana.
    """

    def __init__(self, d_model: int, n_heads: int, size: int, shift: int = 0):
        super().__init__()
        window_shifts((size, size), size, shift)  # comprueba el desplazamiento
        self.size, self.shift = size, shift
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.bias = WindowBias(n_heads, size)

    def forward(self, x: Float[Tensor, "B H W D"]) -> Float[Tensor, "B H W D"]:
        """Cada casilla, con lo que ha leído en su ventana."""
        height, width = x.shape[1:3]
        x = F.pad(x, (0, 0, 0, -width % self.size, 0, -height % self.size))
        grid = (x.shape[1], x.shape[2])
        down, right = window_shifts(grid, self.size, self.shift)
        windows = split_windows(x.roll((-down, -right), dims=(1, 2)), self.size)
        mask = None
        if down or right:
            mask = shift_mask(grid, self.size, self.shift).to(x.device).repeat(len(x), 1, 1, 1)
        cells = windows.flatten(0, 1)  # cada ventana es una secuencia aparte
        mixed = self.attention(cells, cells, cells, mask=mask, bias=self.bias())
        mixed = join_windows(mixed.unflatten(0, windows.shape[:2]), grid)
        return mixed.roll((down, right), dims=(1, 2))[:, :height, :width]
