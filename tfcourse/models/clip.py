"""CLIP y SigLIP: una torre para imágenes y otra para textos, que se encuentran en un espacio."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.models.classifier import mean_state

FIRST_TEMPERATURE, MAX_SCALE = 0.07, 100.0  # Radford et al. (2021), § 2.5
FIRST_SCALE, FIRST_BIAS = 10.0, -10.0  # Zhai et al. (2023), § 3.2


def similarity(
    images: Float[Tensor, "N D"],
    texts: Float[Tensor, "M D"],
    scale: Float[Tensor, ""] | float = 1.0,
) -> Float[Tensor, "N M"]:
    """El coseno de cada imagen con cada texto, por `scale` (el inverso de la temperatura)."""
    return scale * F.normalize(images, dim=-1) @ F.normalize(texts, dim=-1).T


class Clip(nn.Module):
    """CLIP: dos codificadores que no se hablan y un coseno al final.

    `image_tower(imágenes)` da un vector de `d_shared` por imagen; `text_tower(tokens, longitudes)`,
    un vector de `text_width` por token: se toma la media y se proyecta. La temperatura se aprende
    con su logaritmo, para que sea siempre positiva.
    Fuente: Radford et al. (2021), § 2.3–2.5 y figura 3.
    """

    def __init__(
        self,
        image_tower: nn.Module,
        text_tower: nn.Module,
        text_width: int,
        d_shared: int,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.image_tower, self.text_tower = image_tower, text_tower
        self.dropout = nn.Dropout(dropout)
        self.text_projection = nn.Linear(text_width, d_shared, bias=False)
        self.log_scale = nn.Parameter(torch.tensor(math.log(1 / FIRST_TEMPERATURE)))

    @property
    def scale(self) -> Float[Tensor, ""]:
        """Por cuánto se multiplican los cosenos: 1 / temperatura, y nunca más de 100."""
        return self.log_scale.exp().clamp(max=MAX_SCALE)

    def see(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B D"]:
        """Los vectores de unas imágenes, de longitud 1."""
        return F.normalize(self.image_tower(images), dim=-1)

    def read(self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
        """Los vectores de unos textos, de longitud 1."""
        summary = mean_state(self.text_tower(tokens, lengths), lengths)
        return F.normalize(self.text_projection(self.dropout(summary)), dim=-1)

    def forward(
        self,
        images: Float[Tensor, "N C H W"],
        tokens: Int[Tensor, "M L"],
        lengths: Int[Tensor, "M"],
    ) -> Float[Tensor, "N M"]:
        """Logits: cuánto se parece cada imagen a cada texto."""
        return similarity(self.see(images), self.read(tokens, lengths), self.scale)


class Siglip(Clip):
    """SigLIP: las dos torres de CLIP y, en cada casilla, un logit de «¿van juntos?».

    A los cosenos, ya multiplicados, se les suma un sesgo aprendido que empieza muy bajo: casi todas
    las casillas son que no, y así no hay que descubrirlo. Fuente: Zhai et al. (2023), § 3.2.
    """

    def __init__(
        self,
        image_tower: nn.Module,
        text_tower: nn.Module,
        text_width: int,
        d_shared: int,
        dropout: float = 0.0,
    ):
        super().__init__(image_tower, text_tower, text_width, d_shared, dropout)
        self.log_scale = nn.Parameter(torch.tensor(math.log(FIRST_SCALE)))
        self.bias = nn.Parameter(torch.tensor(FIRST_BIAS))

    def forward(
        self,
        images: Float[Tensor, "N C H W"],
        tokens: Int[Tensor, "M L"],
        lengths: Int[Tensor, "M"],
    ) -> Float[Tensor, "N M"]:
        """Logits de que cada imagen vaya con cada texto, sin mirar a los demás."""
        return super().forward(images, tokens, lengths) + self.bias
