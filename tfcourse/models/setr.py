"""SETR: segmentar píxel a píxel con un Transformer que lee parches."""

from dataclasses import dataclass

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.image.coordinate_waves import grid_waves
from tfcourse.layers.image.detection_blocks import ImageEncoderBlock, convolution
from tfcourse.layers.image.patches import PatchEmbedding

# Zheng et al. (2021), tabla 1 («base» y «grande»); «mini» es la que se entrena en la página.
VARIANTS = {
    "mini": {"patch": 4, "d_model": 64, "n_heads": 4, "n_encoder": 3, "d_hidden": 128},
    "base": {"patch": 16, "d_model": 768, "n_heads": 12, "n_encoder": 12, "d_hidden": 3072},
    "grande": {"patch": 16, "d_model": 1024, "n_heads": 16, "n_encoder": 24, "d_hidden": 4096},
}


@dataclass(frozen=True)
class SETRConfig:
    """Tamaños de SETR; `n_classes` cuenta el fondo. Errores: `ValueError` si no son al menos dos.

    `patch` es el lado de un parche: una potencia de dos.
    """

    n_classes: int
    patch: int = VARIANTS["mini"]["patch"]
    d_model: int = VARIANTS["mini"]["d_model"]
    n_heads: int = VARIANTS["mini"]["n_heads"]
    n_encoder: int = VARIANTS["mini"]["n_encoder"]
    d_hidden: int = VARIANTS["mini"]["d_hidden"]

    def __post_init__(self):
        if self.n_classes < 2:
            raise ValueError(
                f"n_classes={self.n_classes}: segmentar es repartir puntos entre dos clases o más, "
                "y el fondo es una"
            )
        if self.patch < 2 or self.patch & (self.patch - 1):
            raise ValueError(
                f"patch={self.patch} no es una potencia de dos: el decodificador agranda por dos "
                "en cada paso; usa 4, 8 o 16"
            )


class SETR(nn.Module):
    """SETR: un codificador de parches y convoluciones que agrandan el mapa hasta la imagen.

    Cada paso del decodificador dobla el lado («PUP»). Da los puntajes de las clases en cada punto.
    Fuente: Zheng et al. (2021), § 3.2 y 3.3.
    """

    def __init__(self, config: SETRConfig):
        super().__init__()
        self.config = config
        self.embedding = PatchEmbedding(3, config.patch, config.d_model)
        self.blocks = nn.ModuleList(
            ImageEncoderBlock(
                config.d_model, config.n_heads, config.d_hidden,
                norm_first=True, norm=nn.LayerNorm,
            )
            for _ in range(config.n_encoder)
        )  # fmt: skip
        self.norm = nn.LayerNorm(config.d_model)
        steps = config.patch.bit_length() - 1
        widths = [max(16, config.d_model >> i) for i in range(steps + 1)]
        self.upward = nn.ModuleList(
            convolution(before, after) for before, after in zip(widths, widths[1:], strict=False)
        )
        self.head = nn.Conv2d(widths[-1], config.n_classes, 1)

    def forward(self, images: Float[Tensor, "B 3 Y X"]) -> Float[Tensor, "B C Y X"]:
        """El puntaje de cada clase en cada punto."""
        grid = tuple(side // self.config.patch for side in images.shape[-2:])
        x = self.embedding(images)
        positions = grid_waves(*grid, x.shape[-1]).to(x)
        x = x + positions
        for block in self.blocks:
            x = block(x, positions=positions)
        x = self.norm(x).transpose(1, 2).unflatten(-1, grid)
        for step in self.upward:
            x = F.interpolate(step(x), scale_factor=2, mode="bilinear", align_corners=False)
        return self.head(x)
