"""Los ViT que se publican sin clasificador: MAE y DINOv2, con registros y sin ellos."""

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
        _scale_blocks(self)


class RegisteredEncoder(ViTEncoder):
    """Un ViT sin clasificador con registros: tokens de más que no son de ningún sitio.

    Van entre el de clase y los parches, sin posición, y al final se tiran: son sitio para apuntar.
    Fuente: Darcet et al. (2024), § 2.2. Errores: `ValueError` si el número es negativo.
    """

    def __init__(self, config: ViTConfig, n_registers: int = 0):
        super().__init__(config)
        if n_registers < 0:
            raise ValueError(f"n_registers={n_registers}: tiene que ser cero o más")
        self.n_registers = n_registers
        self.registers = nn.Parameter(torch.zeros(n_registers, config.d_model))
        nn.init.normal_(self.registers, std=0.02)

    def tokens(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """El de clase, los registros y los parches."""
        x, before = super().tokens(images), self.config.n_prefix
        registers = self.registers.to(x.dtype).expand(len(x), -1, -1)
        return torch.cat([x[:, :before], registers, x[:, before:]], dim=1)

    def patches_of(self, states: Float[Tensor, "B L D"]) -> Float[Tensor, "B N D"]:
        """Los vectores de los parches, sin el de clase ni los registros."""
        return states[:, self.config.n_prefix + self.n_registers :]


class RegisteredDino(RegisteredEncoder):
    """El codificador de DINOv2 con registros, que también escala lo que suma cada subcapa.

    Fuente: Darcet et al. (2024), § 2.2.
    """

    def __init__(self, config: ViTConfig, n_registers: int = 4):
        super().__init__(config, n_registers)
        _scale_blocks(self)


def _scale_blocks(encoder: ViT) -> None:
    """Cambia los residuos de todos los bloques por unos que escalan lo que suman."""
    for block in encoder.blocks:
        block.around_attention = ScaledResidual(encoder.config.d_model)
        block.around_feed_forward = ScaledResidual(encoder.config.d_model)
