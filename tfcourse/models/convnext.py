"""ConvNeXt: una red convolucional con las decisiones de un Swin, para separar unas de otras."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.norms import LayerNorm

EPS = 1e-6  # el de sus autores
IMAGENET = {"n_classes": 1000, "channels": 3, "patch_size": 4, "layer_scale": 1e-6}

# Liu et al. (2022), § 2.7; «aula» es del curso, con los parámetros del Swin de aula.
VARIANTS = {
    "aula": {"patch_size": 4, "d_model": 38, "n_layers": (2, 2), "layer_scale": 1.0},
    "ConvNeXt-T": IMAGENET | {"d_model": 96, "n_layers": (3, 3, 9, 3)},
    "ConvNeXt-S": IMAGENET | {"d_model": 96, "n_layers": (3, 3, 27, 3)},
    "ConvNeXt-B": IMAGENET | {"d_model": 128, "n_layers": (3, 3, 27, 3)},
}


@dataclass(frozen=True)
class ConvNeXtConfig:
    """Tamaños de un ConvNeXt: `n_layers` tiene un número por etapa.

    La anchura se dobla en cada etapa y el lado del mapa se divide entre dos. `kernel` es el lado de
    la ventana, impar; `layer_scale`, cuánto pesa al nacer lo que añade cada bloque.
    Errores: `ValueError` si algún tamaño no es posible.
    """

    n_classes: int
    channels: int = 1
    patch_size: int = VARIANTS["aula"]["patch_size"]
    d_model: int = VARIANTS["aula"]["d_model"]
    n_layers: tuple[int, ...] = VARIANTS["aula"]["n_layers"]
    kernel: int = 7
    expansion: int = 4
    layer_scale: float = VARIANTS["aula"]["layer_scale"]

    def __post_init__(self):
        sizes = (self.n_classes, self.channels, self.patch_size, self.d_model, self.expansion)
        if not self.n_layers or min(*sizes, self.kernel, *self.n_layers) < 1:
            raise ValueError("todos los tamaños de un ConvNeXt tienen que ser al menos 1")
        if self.kernel % 2 == 0:
            raise ValueError(f"kernel={self.kernel}: la ventana tiene centro; usa un lado impar")

    @property
    def widths(self) -> tuple[int, ...]:
        """Anchura de cada etapa: la primera, y el doble en cada una de las siguientes."""
        return tuple(self.d_model * 2**stage for stage in range(len(self.n_layers)))


class ChannelsFirst(nn.Module):
    """Una convolución que lee y escribe mapas `(B, H, W, D)`."""

    def __init__(self, convolution: nn.Conv2d):
        super().__init__()
        self.convolution = convolution

    def forward(self, x: Float[Tensor, "B H W D"]) -> Float[Tensor, "B h w E"]:
        """Pone el canal delante, pasa la convolución y lo devuelve detrás."""
        return self.convolution(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)


class ConvNeXtBlock(nn.Module):
    """Bloque de ConvNeXt: una ventana por canal, y la red por posición de un Transformer.

    La convolución es *en profundidad*: cada canal mezcla sus casillas con sus propios pesos, y no
    toca a los otros canales. Los mezcla la red por posición. Lee y escribe mapas `(B, H, W, D)`.
    Fuente: Liu et al. (2022), figura 4; `scale`, de Touvron et al. (arXiv:2103.17239), § 2.
    """

    def __init__(self, d_model: int, *, kernel: int = 7, expansion: int = 4, layer_scale: float):
        super().__init__()
        window = nn.Conv2d(d_model, d_model, kernel, padding=kernel // 2, groups=d_model)
        self.layers = nn.Sequential(
            ChannelsFirst(window),
            LayerNorm(d_model, EPS),
            nn.Linear(d_model, expansion * d_model),
            nn.GELU(),
            nn.Linear(expansion * d_model, d_model),
        )
        self.scale = nn.Parameter(torch.full((d_model,), float(layer_scale)))

    def forward(self, x: Float[Tensor, "B H W D"]) -> Float[Tensor, "B H W D"]:
        """Cada casilla, con lo que ha leído en su ventana."""
        return x + self.scale * self.layers(x)


class ConvNeXt(nn.Module):
    """ConvNeXt: etapas de bloques con ventanas fijas, y una reducción entre etapa y etapa.

    Fuente: Liu et al. (2022), § 2. Errores: `ValueError` si la imagen no se reparte en parches o
    tiene otros canales.
    """

    def __init__(self, config: ConvNeXtConfig):
        super().__init__()
        self.config = config
        self.stages, self.reductions = nn.ModuleList(), nn.ModuleList()
        before, side = config.channels, config.patch_size
        for width, depth in zip(config.widths, config.n_layers, strict=True):
            cut = ChannelsFirst(nn.Conv2d(before, width, side, stride=side))
            first = not self.reductions
            norm = LayerNorm(width if first else before, EPS)
            self.reductions.append(nn.Sequential(*((cut, norm) if first else (norm, cut))))
            self.stages.append(
                nn.Sequential(
                    *(
                        ConvNeXtBlock(
                            width, kernel=config.kernel, expansion=config.expansion,
                            layer_scale=config.layer_scale,
                        )
                        for _ in range(depth)
                    )
                )
            )  # fmt: skip
            before, side = width, 2
        self.norm = LayerNorm(before, EPS)
        self.head = nn.Linear(before, config.n_classes)

    def maps(self, images: Float[Tensor, "B C H W"]) -> list[Float[Tensor, "B h w D"]]:
        """El mapa que sale de cada etapa, del más fino al más grueso."""
        smallest = self.config.patch_size * 2 ** (len(self.stages) - 1)
        if images.shape[1] != self.config.channels or any(s % smallest for s in images.shape[2:]):
            raise ValueError(
                f"llegaron imágenes de forma {tuple(images.shape[1:])} y el modelo lee "
                f"{self.config.channels} canales y lados múltiplos de {smallest}: cambia las "
                "imágenes, channels o las etapas"
            )
        x, found = images.permute(0, 2, 3, 1), []
        for reduction, stage in zip(self.reductions, self.stages, strict=True):
            x = stage(reduction(x))
            found.append(x)
        return found

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K"]:
        """Logits de cada clase, con la media de las casillas del último mapa."""
        return self.head(self.norm(self.maps(images)[-1].mean(dim=(1, 2))))
