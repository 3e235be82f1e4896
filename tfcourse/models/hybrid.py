"""Híbrido: un Transformer que lee los mapas de una red convolucional en lugar de los píxeles."""

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.models.cnn import SmallCnn
from tfcourse.models.vit import ViT, ViTConfig


class FeatureTokens(nn.Module):
    """Un token por casilla del último mapa de una red convolucional: parches de 1 × 1.

    Fuente: Dosovitskiy et al. (2021), § 3.1.
    """

    def __init__(self, backbone: SmallCnn, d_model: int):
        super().__init__()
        self.backbone = backbone
        self.projection = nn.Linear(backbone.config.widths[-1], d_model)

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B N D"]:
        """Un vector por casilla, por filas."""
        return self.projection(self.backbone.features(images).flatten(2).transpose(1, 2))


class Hybrid(ViT):
    """ViT sobre características: los bloques de siempre, y tokens que ya han visto su vecindad.

    Con `frozen`, la red convolucional no aprende más, ni sus pesos ni sus medias.
    Errores: `ValueError` si una casilla del mapa no mide un parche de la configuración.
    """

    def __init__(self, config: ViTConfig, backbone: SmallCnn, frozen: bool = True):
        super().__init__(config)
        if backbone.config.stride != config.patch_size:
            raise ValueError(
                f"cada casilla de la red convolucional mide {backbone.config.stride} píxeles y "
                f"patch_size={config.patch_size}: usa patch_size={backbone.config.stride}"
            )
        self.embedding = FeatureTokens(backbone, config.d_model)
        self.frozen = frozen
        backbone.requires_grad_(not frozen)
        self.train(self.training)

    def train(self, mode: bool = True) -> "Hybrid":
        """Cambia de modo; una red congelada se queda en el de evaluación."""
        super().train(mode)
        if self.frozen and isinstance(self.embedding, FeatureTokens):
            self.embedding.backbone.eval()
        return self
