"""Vídeo en tokens: bloques de varios fotogramas, que son también una convolución en 3D."""

from jaxtyping import Float
from torch import Tensor, nn

Size = tuple[int, int, int]


def split_tubes(
    videos: Float[Tensor, "B C T H W"], size: Size, stride: Size | None = None
) -> Float[Tensor, "B N P"]:
    """Corta cada vídeo en tubos de `size` (fotogramas, filas, columnas) y los aplana.

    Los tubos van por instantes, luego por filas y luego por columnas; dentro de cada uno, primero
    el canal y después el instante, la fila y la columna, el orden de los pesos de una convolución.
    Sin `stride`, uno empieza donde acaba el anterior; con uno menor que `size`, se pisan.
    Fuente: Arnab et al. (2021), § 3.2 y figura 3. Errores: `ValueError` si los lados no se reparten
    en pasos enteros.
    """
    stride = size if stride is None else stride
    check_tubes(videos.shape[-3:], size, stride)
    tubes = videos
    for axis, (length, step) in enumerate(zip(size, stride, strict=True), start=2):
        tubes = tubes.unfold(axis, length, step)  # B C instantes filas columnas t h w
    return tubes.permute(0, 2, 3, 4, 1, 5, 6, 7).flatten(4).flatten(1, 3)


def check_tubes(sides: Size, size: Size, stride: Size) -> None:
    """Error si un vídeo de esos lados no se recorre entero con tubos de ese tamaño y ese paso."""
    for name, side, length, step in zip(
        ("fotogramas", "filas", "columnas"), sides, size, stride, strict=True
    ):
        if min(length, step) < 1 or side < length or (side - length) % step:
            raise ValueError(
                f"un vídeo de {side} {name} no se recorre con tubos de {length} que avanzan de "
                f"{step} en {step}: usa un divisor, o recorta el vídeo"
            )


class TubeEmbedding(nn.Module):
    """Embedding de tubos: la misma capa lineal para cada bloque del vídeo.

    Es también una convolución en 3D: sus pesos, con otra forma. Fuente: Arnab et al. (2021), § 3.2.
    """

    def __init__(self, channels: int, size: Size, d_model: int, stride: Size | None = None):
        super().__init__()
        self.size, self.stride = size, size if stride is None else stride
        self.projection = nn.Linear(channels * size[0] * size[1] * size[2], d_model)

    def forward(self, videos: Float[Tensor, "B C T H W"]) -> Float[Tensor, "B N D"]:
        """Un vector por tubo, en el orden de `split_tubes`."""
        return self.projection(split_tubes(videos, self.size, self.stride))
