"""DeiT: un Vision Transformer con un segundo token, que aprende lo que dice un maestro."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.models.vit import ViT, ViTConfig, check_images


@dataclass(frozen=True)
class DeiTConfig(ViTConfig):
    """Tamaños de un DeiT: los de un ViT con token de clase, y un token más.

    Errores: `ValueError` si `pool` no es «clase»: el token de destilación va a su lado.
    """

    def __post_init__(self):
        super().__post_init__()
        if self.pool != "clase":
            raise ValueError(
                f"pool={self.pool!r}: en un DeiT la imagen la resumen dos tokens, el de clase y el "
                "de destilación; usa pool='clase'"
            )

    @property
    def n_prefix(self) -> int:
        """Cuántos tokens van delante de los parches: el de clase y el de destilación."""
        return 2


class DeiT(ViT):
    """Vision Transformer con token de destilación: dos tokens resumen la imagen.

    El de clase aprende de las etiquetas; el de destilación, de lo que contesta un maestro.
    Fuente: Touvron et al. (2021), § 4 y figura 2.
    """

    def __init__(self, config: DeiTConfig):
        super().__init__(config)
        self.distillation_token = nn.Parameter(torch.zeros(config.d_model))
        nn.init.normal_(self.class_token, std=0.02)  # si nacieran iguales, solo los separaría
        nn.init.normal_(self.distillation_token, std=0.02)  # su posición
        self.teacher_head = nn.Linear(config.d_model, config.n_classes)

    def tokens(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """Lo que lee el codificador: clase, destilación y los parches, con posición."""
        check_images(images, self.config)
        prefix = torch.stack([self.class_token, self.distillation_token])
        x = torch.cat([prefix.expand(len(images), -1, -1), self.embedding(images)], dim=1)
        return self.dropout(self.positions(x))

    def both(
        self, images: Float[Tensor, "B C H W"]
    ) -> tuple[Float[Tensor, "B K"], Float[Tensor, "B K"]]:
        """Logits del token de clase y logits del token de destilación."""
        states = self.encode(images)
        return self.head(states[:, 0]), self.teacher_head(states[:, 1])

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K"]:
        """Logaritmo de la media de las probabilidades de los dos tokens.

        Fuente: Touvron et al. (2021), § 4: se suman las dos salidas del softmax.
        """
        first, second = (logits.log_softmax(dim=-1) for logits in self.both(images))
        return torch.logaddexp(first, second) - math.log(2)
