"""Parches: una imagen, cortada en cuadrados, se lee como una secuencia de vectores."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


def split_patches(images: Float[Tensor, "B C H W"], size: int) -> Float[Tensor, "B N P"]:
    """Corta cada imagen en parches de `size` × `size` y los aplana: un vector por parche.

    Los parches van por filas, de izquierda a derecha; dentro de cada uno, primero el canal, luego
    la fila y luego la columna, el orden de los pesos de una convolución.
    Fuente: Dosovitskiy et al. (2021), § 3.1. Errores: `ValueError` si los lados no se reparten en
    parches enteros.
    """
    check_patches(images.shape[-2:], size)
    rows = images.unflatten(-2, (-1, size)).unflatten(-1, (-1, size))  # B C filas p columnas p
    return rows.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


def join_patches(
    patches: Float[Tensor, "B N P"], channels: int, grid: tuple[int, int]
) -> Float[Tensor, "B C H W"]:
    """Recompone las imágenes: deshace `split_patches`.

    `grid` son las filas y las columnas de parches. Errores: `ValueError` si no hay tantos parches
    o si sus números no llenan un cuadrado por canal.
    """
    size = math.isqrt(patches.shape[-1] // channels)
    if patches.shape[1] != grid[0] * grid[1] or size * size * channels != patches.shape[-1]:
        raise ValueError(
            f"llegaron {patches.shape[1]} parches de {patches.shape[-1]} números: no forman una "
            f"rejilla de {grid[0]} × {grid[1]} con {channels} canales; revisa grid y channels"
        )
    cells = patches.unflatten(1, grid).unflatten(-1, (channels, size, size))
    return cells.permute(0, 3, 1, 4, 2, 5).flatten(2, 3).flatten(3)


def shuffle_patches(
    images: Float[Tensor, "B C H W"], size: int = 2, seed: int = 0
) -> Float[Tensor, "B C H W"]:
    """Cambia los parches de sitio, en todas las imágenes de la misma manera.

    Errores: los de `split_patches`.
    """
    patches = split_patches(images, size)
    order = torch.randperm(patches.shape[1], generator=torch.Generator().manual_seed(seed))
    grid = images.shape[-2] // size, images.shape[-1] // size
    return join_patches(patches[:, order], images.shape[1], grid)


class PatchShuffle(nn.Module):
    """Baraja los parches de lo que entra en una red: va después del aumento de datos."""

    def __init__(self, size: int = 2):
        super().__init__()
        self.size = size

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B C H W"]:
        """Las mismas imágenes, todas barajadas de la misma manera."""
        return shuffle_patches(images, self.size)


def check_patches(sides: tuple[int, int], size: int) -> None:
    """Error si una imagen de esos lados no se puede cortar en parches enteros."""
    height, width = sides
    if size < 1 or height % size or width % size:
        step = max(1, size)
        fits = tuple(max(step, side // step * step) for side in (height, width))
        raise ValueError(
            f"una imagen de {height} × {width} no se reparte en parches de {size} × {size}: usa un "
            f"divisor de los dos lados, o recorta la imagen, p. ej. a {fits[0]} × {fits[1]}"
        )


class PatchEmbedding(nn.Module):
    """Embedding de parches: la misma capa lineal para cada parche.

    Es también una convolución con núcleo y zancada de `size`: sus pesos, con otra forma.
    Fuente: Dosovitskiy et al. (2021), ec. 1.
    """

    def __init__(self, channels: int, size: int, d_model: int):
        super().__init__()
        self.size = size
        self.projection = nn.Linear(channels * size * size, d_model)

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B N D"]:
        """Un vector por parche, por filas."""
        return self.projection(split_patches(images, self.size))


class ConvStem(nn.Module):
    """Tallo convolucional: convoluciones pequeñas que reducen la imagen en lugar de cortarla.

    Con `size` = 2ᵏ, una convolución de 3 × 3 que no reduce y k que reducen a la mitad, cada una
    con normalización y ReLU, y una de 1 × 1. Da tantos vectores como los parches de ese lado, pero
    cada uno ve un poco a sus vecinos.
    Fuente: Xiao et al. (2021). Errores: `ValueError` si `size` no es potencia de dos.
    """

    def __init__(self, channels: int, size: int, d_model: int):
        super().__init__()
        halvings = size.bit_length() - 1
        if size < 2 or size != 2**halvings:
            raise ValueError(
                f"size={size}: el tallo reduce a la mitad cada vez; usa una potencia de dos, p. "
                f"ej. size={2 ** max(1, halvings)}"
            )
        self.size = size
        widths = [max(8, d_model // 2 ** (halvings - i)) for i in range(halvings + 1)]
        layers: list[nn.Module] = []
        for before, after, stride in zip(
            [channels, *widths], widths, [1] + [2] * halvings, strict=False
        ):
            layers += [
                nn.Conv2d(before, after, 3, stride=stride, padding=1, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(),
            ]
        self.layers = nn.Sequential(*layers, nn.Conv2d(widths[-1], d_model, 1))

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B N D"]:
        """Un vector por casilla de la imagen reducida, por filas."""
        check_patches(images.shape[-2:], self.size)
        return self.layers(images).flatten(2).transpose(1, 2)
