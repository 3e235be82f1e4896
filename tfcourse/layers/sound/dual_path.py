"""Doble camino: partir una secuencia larga en trozos, y mirar dentro de cada uno y entre ellos."""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.audio.windows import overlap_add, split_frames
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.positions import sinusoidal_positions


def chunked(x: Float[Tensor, "B L D"], size: int) -> Float[Tensor, "B N C D"]:
    """Trozos de `size` vectores que se solapan la mitad, con ceros en los bordes.

    Media ventana de ceros por cada lado hace que todos los vectores caigan en dos trozos.
    Fuente: Luo, Chen y Yoshioka (2020), § 2.1.1. Errores: `ValueError` si `size` no es par.
    """
    half = _half(size)
    spare = -x.shape[1] % half
    padded = F.pad(x, (0, 0, half, half + spare))
    return split_frames(padded.mT, size, half).movedim(1, -1)


def rejoined(chunks: Float[Tensor, "B N C D"], length: int) -> Float[Tensor, "B L D"]:
    """Deshace `chunked`: suma lo que se solapa y divide entre dos.

    Errores: `ValueError` si en los trozos no caben `length` vectores.
    """
    half = _half(chunks.shape[2])
    total = overlap_add(chunks.movedim(-1, 1), half)
    if not 0 < length <= total.shape[-1] - 2 * half:
        raise ValueError(
            f"length={length}: con {chunks.shape[1]} trozos de {chunks.shape[2]} se recuperan "
            f"entre 1 y {total.shape[-1] - 2 * half} vectores; pide los que había"
        )
    return total[..., half : half + length].mT / 2


def _half(size: int) -> int:
    if size < 2 or size % 2:
        raise ValueError(
            f"los trozos miden {size} y tienen que medir un número par, p. ej. "
            f"{max(2, size + size % 2)}, para solaparse justo la mitad"
        )
    return size // 2


class PathTransformer(nn.Module):
    """Unos bloques Pre-LN sobre una secuencia corta, con posiciones y un residuo por encima.

    Da z + norma(g(z + e)), con g los bloques y e las posiciones sinusoidales.
    Fuente: Subakan et al. (2021), § 2.2.2.
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int, n_layers: int):
        super().__init__()
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_hidden, norm_first=True) for _ in range(n_layers)
        )
        self.norm = LayerNorm(d_model)

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Cada vector mira a los de su secuencia."""
        y = x + sinusoidal_positions(x.shape[1], x.shape[2]).to(x)
        for block in self.blocks:
            y = block(y)
        return x + self.norm(y)


class DualPathBlock(nn.Module):
    """Bloque de doble camino: primero se mira dentro de cada trozo y después, entre trozos.

    Dentro, cada trozo es una secuencia; entre trozos, la forman los vectores que ocupan el mismo
    lugar en cada uno. Fuente: Subakan et al. (2021), § 2.2.1.
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int, n_intra: int, n_inter: int):
        super().__init__()
        self.intra = PathTransformer(d_model, n_heads, d_hidden, n_intra)
        self.inter = PathTransformer(d_model, n_heads, d_hidden, n_inter)

    def forward(self, chunks: Float[Tensor, "B N C D"]) -> Float[Tensor, "B N C D"]:
        """Los mismos trozos, después de mirar por los dos caminos."""
        chunks = along(self.intra, chunks)
        return along(self.inter, chunks.transpose(1, 2)).transpose(1, 2)


def along(path: nn.Module, table: Float[Tensor, "B R L D"]) -> Float[Tensor, "B R L D"]:
    """Pasa `path` por cada fila de una tabla, sin mezclar unas filas con otras."""
    return path(table.flatten(0, 1)).unflatten(0, table.shape[:2])
