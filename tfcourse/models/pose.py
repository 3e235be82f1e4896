"""Pose de una figura: un token por articulación, que lee la imagen junto a los parches."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.image.coordinate_waves import grid_waves
from tfcourse.layers.image.detection_blocks import ConvBackbone
from tfcourse.layers.image.keypoint_heads import (
    HeatmapHead,
    KeypointHead,
    RegressionHead,
    SimCCHead,
)

CELL = 8  # lado en píxeles de la casilla que da la red convolucional
# «aula» es del curso; el otro, de Li et al. (2021), tabla 1: el tamaño de su Transformer.
VARIANTS = {
    "aula": {"d_model": 64, "n_heads": 4, "n_layers": 3, "d_hidden": 128},
    "TokenPose-B": {"d_model": 192, "n_heads": 8, "n_layers": 12, "d_hidden": 576},
}
HEADS = ("SimCC", "mapa de calor", "regresión")


@dataclass(frozen=True)
class PoseConfig:
    """Tamaños de un modelo de pose; `VARIANTS` tiene los conocidos.

    `image_size` es el lado de la imagen, en píxeles; `head`, uno de `HEADS`.
    Errores: `ValueError` si la cabeza no se conoce o la imagen no se reparte en casillas.
    """

    n_keypoints: int = 13
    image_size: int = 64
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    head: str = "SimCC"

    def __post_init__(self):
        if self.head not in HEADS:
            raise ValueError(f"head={self.head!r}: usa {', '.join(HEADS)}")
        if self.n_keypoints < 1 or self.image_size < CELL or self.image_size % CELL:
            raise ValueError(
                f"n_keypoints={self.n_keypoints} e image_size={self.image_size}: hace falta al "
                f"menos una articulación y un lado múltiplo de {CELL}, p. ej. 64"
            )

    @property
    def cells(self) -> int:
        """Casillas por lado."""
        return self.image_size // CELL


def build_head(config: PoseConfig) -> KeypointHead:
    """La cabeza de una configuración: cajones de medio píxel, o mapas de la mitad del lado."""
    if config.head == "SimCC":
        return SimCCHead(config.d_model, 2 * config.image_size)
    if config.head == "mapa de calor":
        return HeatmapHead(config.d_model, config.image_size // 2)
    return RegressionHead(config.d_model)


class KeypointTransformer(nn.Module):
    """Tokens de puntos clave: uno aprendido por articulación, delante de los de la imagen.

    Un codificador los deja mirar la imagen y mirarse entre sí, y la cabeza los convierte en sitios.
    Fuente: Li et al. (2021), TokenPose, § 3.1.
    """

    def __init__(self, config: PoseConfig):
        super().__init__()
        self.config = config
        self.backbone = ConvBackbone(config.d_model)
        self.keypoints = nn.Parameter(0.02 * torch.randn(config.n_keypoints, config.d_model))
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden,
                norm_first=True, activation=nn.GELU, norm=nn.LayerNorm,
            )
            for _ in range(config.n_layers)
        )  # fmt: skip
        self.norm = nn.LayerNorm(config.d_model)
        self.head = build_head(config)

    def tokens(self, images: Float[Tensor, "B 3 S S"]) -> Float[Tensor, "B L D"]:
        """Lo que lee el codificador: los tokens de articulación y las casillas, con su posición."""
        check_image_side(images, self.config.image_size)
        features = self.backbone(images)
        rows, columns = features.shape[-2:]
        cells = features.flatten(2).transpose(1, 2)
        cells = cells + grid_waves(rows, columns, cells.shape[-1]).to(cells)
        return torch.cat([self.keypoints.expand(len(cells), -1, -1), cells], dim=1)

    def forward(self, images: Float[Tensor, "B 3 S S"]) -> Tensor:
        """Lo que predice la cabeza para cada articulación."""
        x = self.tokens(images)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, : self.config.n_keypoints]))

    @torch.no_grad()
    def locate(
        self, images: Float[Tensor, "B 3 S S"], batch_size: int = 100
    ) -> tuple[Float[Tensor, "B K 2"], Float[Tensor, "B K"]]:
        """Dónde está cada articulación, entre 0 y 1, y cuánto se fía de ello."""
        parts = [self.head.decode(self(some)) for some in images.split(batch_size)]
        points, confidence = zip(*parts, strict=True)
        return torch.cat(points), torch.cat(confidence)

    @torch.no_grad()
    def attention_maps(self, images: Float[Tensor, "B 3 S S"]) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa y cabeza; las articulaciones van delante de las casillas."""
        return maps_by_layer(self.blocks, self.tokens(images))


def check_image_side(images: Tensor, side: int) -> None:
    """Error si las imágenes no son cuadradas y de ese lado."""
    if tuple(images.shape[1:]) != (3, side, side):
        raise ValueError(
            f"llegaron imágenes de forma {tuple(images.shape[1:])} y el modelo espera "
            f"(3, {side}, {side}): recorta la figura a ese lado con crop_boxes"
        )
