"""Los ViT que se publican sin clasificador: el codificador de MAE y el de DINOv2."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.blocks import Residual
from tfcourse.models.vit import ViT, ViTConfig, ViTNorm


class ViTEncoder(ViT):
    """Un ViT sin capa que clasifique: da un vector por token, el de clase el primero.

    Es lo que queda de MAE al acabar de preentrenar, cuando ya no se tapa ningún parche.
    Fuente: He et al. (2022), § 3.
    """

    def __init__(self, config: ViTConfig):
        super().__init__(config)
        self.head = nn.Identity()

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """Un vector por token que ya ha mirado a todos los demás."""
        return self.encode(images)


class ScaledResidual(Residual):
    """Conexión residual Pre-LN cuya subcapa se multiplica, número a número, por algo aprendido.

    Empieza casi a cero, y así cada bloque empieza casi sin cambiar nada.
    Fuente: Touvron, Cord, Sablayrolles et al. (2021), donde se llama `LayerScale`.
    """

    def __init__(self, d_model: int, first: float = 1e-5):
        super().__init__(d_model, 0.0, norm_first=True, norm=ViTNorm)
        self.scale = nn.Parameter(torch.full((d_model,), first))

    def forward(self, x: Float[Tensor, "*B D"], sublayer) -> Float[Tensor, "*B D"]:
        """Suma a la entrada lo que devuelve la subcapa, ya escalado."""
        return super().forward(x, lambda y: self.scale * sublayer(y))


class DinoEncoder(ViTEncoder):
    """El codificador de DINOv2: un ViT sin clasificador que escala lo que suma cada subcapa.

    Fuente: Oquab et al. (2024), § 4.
    """

    def __init__(self, config: ViTConfig):
        super().__init__(config)
        for block in self.blocks:
            block.around_attention = ScaledResidual(config.d_model)
            block.around_feed_forward = ScaledResidual(config.d_model)
