"""Un parche, un vector: el bloque residual de convoluciones con el que Gato lee imágenes."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

GROUPS, WIDTH = 8, 16


class ResidualPatchEmbedding(nn.Module):
    """Vector de cada parche: una convolución, un bloque residual y una capa lineal.

    Los píxeles, de 0 a 1, pasan a [−1, 1] y se dividen entre la raíz del lado. El bloque es de los
    que normalizan primero (norma por grupos, GELU y convolución, dos veces). Después se suma lo
    aprendido para la fila y la columna del parche en su imagen.
    Fuente: Reed et al. (2022), § 2.1 y 2.2 y apéndice C.2. Errores: `ValueError` si los parches no
    son los de `side` o no completan imágenes de `grid`.
    """

    def __init__(self, channels: int, side: int, grid: tuple[int, int], d_model: int):
        super().__init__()
        self.side, self.grid = side, grid
        self.root = nn.Conv2d(channels, WIDTH, 3, stride=2, padding=1)
        self.block = nn.Sequential(
            nn.GroupNorm(GROUPS, WIDTH), nn.GELU(), nn.Conv2d(WIDTH, WIDTH, 3, padding=1),
            nn.GroupNorm(GROUPS, WIDTH), nn.GELU(), nn.Conv2d(WIDTH, WIDTH, 3, padding=1),
        )  # fmt: skip
        self.shrink = nn.AvgPool2d(2)
        self.projection = nn.Linear(WIDTH * (side // 4) ** 2, d_model)
        self.rows, self.columns = (nn.Embedding(n, d_model) for n in grid)

    def forward(self, patches: Float[Tensor, "P C p p"]) -> Float[Tensor, "P D"]:
        """Un vector por parche; llegan por imágenes enteras y, en cada una, por filas."""
        height, width = self.grid
        if patches.shape[-1] != self.side or len(patches) % (height * width):
            raise ValueError(
                f"llegaron {len(patches)} parches de {patches.shape[-1]} × {patches.shape[-1]}: "
                f"se esperan imágenes enteras, de {height} × {width} parches de {self.side} × "
                f"{self.side}; córtalas con scene_patches"
            )
        x = self.root((2 * patches - 1) / math.sqrt(self.side))
        x = self.projection(self.shrink(x + self.block(x)).flatten(1))
        place = torch.arange(len(patches), device=patches.device) % (height * width)
        return x + self.rows(place // width) + self.columns(place % width)
