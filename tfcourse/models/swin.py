"""Swin Transformer: atención por ventanas que se desplazan, y mapas cada vez más pequeños."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.blocks import FeedForward, Residual
from tfcourse.layers.image.patches import PatchEmbedding
from tfcourse.layers.image.shifted_windows import WindowAttention
from tfcourse.layers.norms import LayerNorm

IMAGENET = {"n_classes": 1000, "channels": 3, "patch_size": 4, "window": 7}

# Liu et al. (2021), § 3.3; «aula» es del curso, para imágenes de 48 o 64 píxeles.
VARIANTS = {
    "aula": {"patch_size": 4, "window": 4, "d_model": 32, "n_layers": (2, 2), "n_heads": (2, 4)},
    "Swin-T": IMAGENET | {"d_model": 96, "n_layers": (2, 2, 6, 2), "n_heads": (3, 6, 12, 24)},
    "Swin-S": IMAGENET | {"d_model": 96, "n_layers": (2, 2, 18, 2), "n_heads": (3, 6, 12, 24)},
    "Swin-B": IMAGENET | {"d_model": 128, "n_layers": (2, 2, 18, 2), "n_heads": (4, 8, 16, 32)},
    "Swin-L": IMAGENET | {"d_model": 192, "n_layers": (2, 2, 18, 2), "n_heads": (6, 12, 24, 48)},
}


@dataclass(frozen=True)
class SwinConfig:
    """Tamaños de un Swin: `n_layers` y `n_heads` tienen un número por etapa.

    La anchura se dobla en cada etapa y el lado del mapa se divide entre dos. `expansion` es cuántas
    veces más ancha es la capa oculta de la red por posición.
    Errores: `ValueError` si las etapas no encajan o algún tamaño no es posible.
    """

    n_classes: int
    channels: int = 1
    patch_size: int = VARIANTS["aula"]["patch_size"]
    window: int = VARIANTS["aula"]["window"]
    d_model: int = VARIANTS["aula"]["d_model"]
    n_layers: tuple[int, ...] = VARIANTS["aula"]["n_layers"]
    n_heads: tuple[int, ...] = VARIANTS["aula"]["n_heads"]
    expansion: int = 4
    shifted: bool = True

    def __post_init__(self):
        if len(self.n_layers) != len(self.n_heads) or not self.n_layers:
            raise ValueError(
                f"n_layers={self.n_layers} y n_heads={self.n_heads}: hace falta un número de cada "
                "por etapa, p. ej. (2, 2) y (2, 4)"
            )
        sizes = (self.n_classes, self.channels, self.patch_size, self.window, self.d_model)
        if min(*sizes, self.expansion, *self.n_layers, *self.n_heads) < 1:
            raise ValueError("todos los tamaños de un Swin tienen que ser al menos 1")

    @property
    def widths(self) -> tuple[int, ...]:
        """Anchura de cada etapa: la primera, y el doble en cada una de las siguientes."""
        return tuple(self.d_model * 2**stage for stage in range(len(self.n_layers)))


class SwinBlock(nn.Module):
    """Bloque de Swin: el bloque Pre-LN de siempre, con la atención por ventanas.

    Lee y escribe mapas `(B, H, W, D)`. Fuente: Liu et al. (2021), ec. 3.
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int, *, window: int, shift: int = 0):
        super().__init__()
        self.attention = WindowAttention(d_model, n_heads, window, shift)
        self.feed_forward = FeedForward(d_model, d_hidden, nn.GELU)
        self.around_attention = Residual(d_model, 0.0, norm_first=True)
        self.around_feed_forward = Residual(d_model, 0.0, norm_first=True)

    def forward(self, x: Float[Tensor, "B H W D"]) -> Float[Tensor, "B H W D"]:
        """Cada casilla mira en su ventana y pasa por la red por posición."""
        x = self.around_attention(x, self.attention)
        return self.around_feed_forward(x, self.feed_forward)


class PatchMerging(nn.Module):
    """Fusión de parches: cuatro casillas vecinas pasan a ser una, el doble de ancha.

    Un lado impar se rellena con ceros. Fuente: Liu et al. (2021), § 3.1.
    """

    def __init__(self, d_model: int):
        super().__init__()
        self.norm = LayerNorm(4 * d_model)
        self.projection = nn.Linear(4 * d_model, 2 * d_model, bias=False)

    def forward(self, x: Float[Tensor, "B H W D"]) -> Float[Tensor, "B h w E"]:
        """La mitad de filas y de columnas, y el doble de componentes."""
        x = F.pad(x, (0, 0, 0, x.shape[2] % 2, 0, x.shape[1] % 2))
        corners = [x[:, row::2, column::2] for column in (0, 1) for row in (0, 1)]
        return self.projection(self.norm(torch.cat(corners, dim=-1)))


class Swin(nn.Module):
    """Swin Transformer: etapas de bloques por ventanas, con una fusión entre etapa y etapa.

    Admite imágenes de cualquier tamaño que se reparta en parches: sus posiciones son relativas.
    Fuente: Liu et al. (2021), figura 3; una norma tras los parches, como en el código de sus
    autores. Errores: `ValueError` si la imagen no se reparte en parches o tiene otros canales.
    """

    def __init__(self, config: SwinConfig):
        super().__init__()
        self.config = config
        self.embedding = PatchEmbedding(config.channels, config.patch_size, config.d_model)
        self.first_norm = LayerNorm(config.d_model)
        self.stages, self.merges = nn.ModuleList(), nn.ModuleList()
        for stage, width in enumerate(config.widths):
            if stage:
                self.merges.append(PatchMerging(width // 2))
            self.stages.append(swin_stage(config, stage, width))
        self.norm = LayerNorm(config.widths[-1])
        self.head = nn.Linear(config.widths[-1], config.n_classes)

    def maps(self, images: Float[Tensor, "B C H W"]) -> list[Float[Tensor, "B h w D"]]:
        """El mapa que sale de cada etapa, del más fino al más grueso."""
        if images.shape[1] != self.config.channels:
            raise ValueError(
                f"llegaron imágenes de {images.shape[1]} canales y el modelo lee "
                f"{self.config.channels}: cambia las imágenes o channels"
            )
        rows = images.shape[-2] // self.config.patch_size
        x = self.first_norm(self.embedding(images)).unflatten(1, (rows, -1))
        found = []
        for place, stage in enumerate(self.stages):
            x = stage(self.merges[place - 1](x) if place else x)
            found.append(x)
        return found

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K"]:
        """Logits de cada clase, con la media de las casillas del último mapa."""
        return self.head(self.norm(self.maps(images)[-1]).mean(dim=(1, 2)))


def swin_stage(config: SwinConfig, stage: int, width: int) -> nn.Sequential:
    """Los bloques de una etapa: con ventanas quietas y con ventanas desplazadas, por turno.

    Con `shifted=False`, todas quietas.
    """
    shifts = [config.window // 2 * (layer % 2) for layer in range(config.n_layers[stage])]
    return nn.Sequential(
        *(
            SwinBlock(
                width, config.n_heads[stage], config.expansion * width,
                window=config.window, shift=shift if config.shifted else 0,
            )
            for shift in shifts
        )
    )  # fmt: skip
