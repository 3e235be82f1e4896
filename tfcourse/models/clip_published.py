"""El CLIP publicado: sus dos torres, hechas con un ViT y un GPT del curso."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.models.clip import Clip
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.models.vit import ViT, ViTConfig, ViTNorm


class QuickGELU(nn.Module):
    """GELU rápida: x σ(1,702 x). Fuente: Hendrycks y Gimpel (2016), § 2."""

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Elemento a elemento."""
        return x * torch.sigmoid(1.702 * x)


ACTIVATIONS = {"quick_gelu": QuickGELU, "gelu": nn.GELU}


class ClipImageTower(ViT):
    """La torre de imágenes: un ViT que normaliza también antes del primer bloque.

    Fuente: Radford et al. (2021), § 2.4.
    """

    def __init__(self, config: ViTConfig, activation: str = "quick_gelu"):
        super().__init__(config)
        self.first_norm = ViTNorm(config.d_model)
        for block in self.blocks:
            block.feed_forward.activation = ACTIVATIONS[activation]()

    def tokens(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """Lo que lee el codificador: clase y parches, con posición y normalizados."""
        return self.first_norm(super().tokens(images))


class ClipTextTower(GPT):
    """La torre de textos: un GPT del que se aprovechan los vectores (`states`), no los logits.

    Solo mira hacia atrás, así que lo que hay detrás del fin de la frase no cuenta.
    Fuente: Radford et al. (2021), § 2.4.
    """

    def __init__(self, config: GPTConfig, activation: str = "quick_gelu"):
        super().__init__(config)
        for block in self.blocks:
            block.feed_forward.activation = ACTIVATIONS[activation]()


class PublishedClip(Clip):
    """CLIP tal como se publicó: al texto lo resume el vector de su último token, el de fin.

    La torre de textos es un `ClipTextTower`, que da sus vectores en `states`.
    """

    def read(self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
        """Los vectores de unos textos, de longitud 1."""
        states = self.text_tower.states(tokens)
        last = states[torch.arange(len(states), device=states.device), lengths - 1]
        return F.normalize(self.text_projection(last), dim=-1)
