"""Pose de abajo arriba: mapas de calor de todas las figuras a la vez, y una etiqueta por punto."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.image.coordinate_waves import grid_waves
from tfcourse.layers.image.detection_blocks import ConvBackbone

PER_CELL = 4  # cada casilla de 8 píxeles responde de 4 × 4 puntos: mapas de la mitad del lado
# Al empezar, la etiqueta de un punto dice dónde está: dos figuras ya parten de etiquetas distintas.
TAG_START = (5.0, 2.5)
RARE = -4.0  # sesgo inicial de los mapas: casi ningún punto es una articulación
VARIANTS = {"aula": {"d_model": 96, "n_heads": 4, "n_layers": 2, "d_hidden": 192}}


@dataclass(frozen=True)
class BottomUpConfig:
    """Tamaños del modelo de abajo arriba; `VARIANTS` tiene el de aula.

    Errores: `ValueError` si no hay articulaciones.
    """

    n_keypoints: int = 13
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]

    def __post_init__(self):
        if self.n_keypoints < 1:
            raise ValueError(f"n_keypoints={self.n_keypoints}: hace falta una articulación")


class KeypointMaps(NamedTuple):
    """Lo que predice: por articulación, un mapa de calor (logits) y otro de etiquetas."""

    heat: Float[Tensor, "B K h w"]
    tags: Float[Tensor, "B K h w"]


class BottomUpPose(nn.Module):
    """Mapas de calor y etiquetas asociativas de toda la imagen, haya las figuras que haya.

    Los puntos de una misma figura llevan etiquetas parecidas, y los de otra, distintas: así se
    agrupan. Fuente: Newell et al. (2017), § 3; la red es la del curso.
    """

    def __init__(self, config: BottomUpConfig):
        super().__init__()
        self.config = config
        self.backbone = ConvBackbone(config.d_model)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden,
                norm_first=True, activation=nn.GELU, norm=nn.LayerNorm,
            )
            for _ in range(config.n_layers)
        )  # fmt: skip
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, 2 * config.n_keypoints * PER_CELL**2)
        nn.init.zeros_(self.head.bias)

    def forward(self, images: Float[Tensor, "B 3 Y X"]) -> KeypointMaps:
        """Los mapas de la imagen entera, a la mitad de su lado."""
        features = self.backbone(images)
        rows, columns = features.shape[-2:]
        x = features.flatten(2).transpose(1, 2)
        x = x + grid_waves(rows, columns, x.shape[-1]).to(x)
        for block in self.blocks:
            x = block(x)
        points = self.head(self.norm(x)).transpose(1, 2).unflatten(2, (rows, columns))
        heat, tags = nn.functional.pixel_shuffle(points, PER_CELL).chunk(2, dim=1)
        height, width = tags.shape[-2:]
        x, y = ((torch.arange(n, device=tags.device) + 0.5) / n for n in (width, height))
        return KeypointMaps(heat + RARE, tags + TAG_START[0] * x + TAG_START[1] * y[:, None])
