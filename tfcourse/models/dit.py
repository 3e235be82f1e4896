"""DiT: un Vision Transformer que mira una imagen con ruido y dice hacia dónde moverla."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.image.image_positions import FixedPositions, sinusoidal_positions_2d
from tfcourse.layers.image.patches import PatchEmbedding, check_patches, join_patches
from tfcourse.layers.modulation import AdaLNZeroBlock, ModulatedHead, TimeEmbedding


@dataclass(frozen=True)
class DiTConfig:
    """Tamaños de un DiT: clases, lado de la imagen en píxeles, lado del parche y anchuras.

    Errores: `ValueError` si algún tamaño no es posible o la imagen no se reparte en parches.
    """

    n_classes: int
    image_size: int = 8
    patch_size: int = 2
    channels: int = 1
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 3
    d_hidden: int = 192

    def __post_init__(self):
        for name in ("n_classes", "channels", "d_model", "n_heads", "n_layers", "d_hidden"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: tiene que ser al menos 1")
        check_patches((self.image_size, self.image_size), self.patch_size)

    @property
    def grid(self) -> tuple[int, int]:
        """Filas y columnas de parches."""
        return (self.image_size // self.patch_size,) * 2

    @property
    def no_class(self) -> int:
        """El número que se da cuando no se dice la clase: el siguiente a la última."""
        return self.n_classes


class DiT(nn.Module):
    """DiT: parches con posición, bloques adaLN-Zero y una capa que devuelve una imagen.

    La condición es la suma del embedding del instante y el de la clase; hay uno más, el de «sin
    clase». Fuente: Peebles y Xie (2023), § 3.2; las posiciones son senos en dos dimensiones.
    Errores: `ValueError` si las imágenes no miden lo que dice la configuración.
    """

    def __init__(self, config: DiTConfig):
        super().__init__()
        self.config = config
        width, patch = config.d_model, config.patch_size
        self.embedding = PatchEmbedding(config.channels, patch, width)
        self.positions = FixedPositions(sinusoidal_positions_2d(*config.grid, width))
        self.time = TimeEmbedding(width)
        self.classes = nn.Embedding(config.n_classes + 1, width)
        nn.init.normal_(self.classes.weight, std=0.02)
        self.blocks = nn.ModuleList(
            AdaLNZeroBlock(width, config.n_heads, config.d_hidden) for _ in range(config.n_layers)
        )
        self.head = ModulatedHead(width, config.channels * patch**2)

    def tokens(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """Un token por parche, con su posición."""
        expected = (self.config.channels, self.config.image_size, self.config.image_size)
        if tuple(images.shape[1:]) != expected:
            raise ValueError(
                f"llegaron imágenes de forma {tuple(images.shape[1:])} y el modelo espera "
                f"{expected} (canales, alto, ancho): cámbialas de tamaño, o cambia image_size"
            )
        return self.positions(self.embedding(images))

    def condition(
        self, times: Float[Tensor, " B"], classes: Int[Tensor, " B"]
    ) -> Float[Tensor, "B D"]:
        """El vector que modula todos los bloques: instante más clase."""
        return self.time(times) + self.classes(classes)

    def forward(
        self,
        images: Float[Tensor, "B C H W"],
        times: Float[Tensor, " B"],
        classes: Int[Tensor, " B"],
    ) -> Float[Tensor, "B C H W"]:
        """La velocidad de cada píxel, con `times` entre 0 (ruido) y 1 (dato)."""
        x, condition = self.tokens(images), self.condition(times, classes)
        for block in self.blocks:
            x = block(x, condition)
        return join_patches(self.head(x, condition), self.config.channels, self.config.grid)

    @torch.no_grad()
    def attention_maps(
        self,
        images: Float[Tensor, "B C height width"],
        times: Float[Tensor, " B"],
        classes: Int[Tensor, " B"],
    ) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa y cabeza al leer las imágenes, recalculados."""
        condition = self.condition(times, classes)
        return maps_by_layer(self.blocks, self.tokens(images), condition)
