"""Red convolucional pequeña: la rival clásica cuando lo que se lee es una imagen."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn


@dataclass(frozen=True)
class CnnConfig:
    """Tamaños de una red convolucional: una etapa por número de `widths`.

    Errores: `ValueError` si no hay etapas o algún tamaño no es positivo.
    """

    n_classes: int
    channels: int = 1
    widths: tuple[int, ...] = (32, 64, 128)

    def __post_init__(self):
        if not self.widths or min(self.n_classes, self.channels, *self.widths) < 1:
            raise ValueError(
                f"n_classes={self.n_classes}, channels={self.channels}, widths={self.widths}: hace "
                "falta una etapa o más, y que todos los números sean positivos, p. ej. (32, 64)"
            )

    @property
    def stride(self) -> int:
        """Cuántos píxeles de la imagen avanza una casilla del último mapa."""
        return 2 ** (len(self.widths) - 1)


class SmallCnn(nn.Module):
    """Red convolucional: etapas de dos convoluciones de 3 × 3, y entre etapa y etapa, la mitad.

    Acaba en la media de todo el mapa, así que admite imágenes de cualquier tamaño.
    Fuente: la forma de Simonyan y Zisserman (2015), con la normalización de Ioffe y Szegedy (2015)
    y la media final de Lin, Chen y Yan (2014). Errores: `ValueError` si la imagen es demasiado
    pequeña para las etapas que hay o tiene otros canales.
    """

    def __init__(self, config: CnnConfig):
        super().__init__()
        self.config = config
        before, layers = config.channels, []
        for index, width in enumerate(config.widths):
            if index:
                layers.append(nn.MaxPool2d(2))
            for inputs in (before, width):
                layers += [
                    nn.Conv2d(inputs, width, 3, padding=1, bias=False),
                    nn.BatchNorm2d(width),
                    nn.ReLU(),
                ]
            before = width
        self.layers = nn.Sequential(*layers)
        self.head = nn.Linear(before, config.n_classes)

    def features(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B D h w"]:
        """El último mapa: un vector por casilla, cada una de `config.stride` píxeles de lado."""
        if images.shape[1] != self.config.channels or min(images.shape[2:]) < self.config.stride:
            raise ValueError(
                f"llegaron imágenes de forma {tuple(images.shape[1:])} y esta red lee "
                f"{self.config.channels} canales y al menos {self.config.stride} píxeles de lado: "
                "cambia la imagen o usa menos etapas"
            )
        return self.layers(images)

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K"]:
        """Logits de cada clase, con la media de los vectores del mapa."""
        return self.head(self.features(images).mean(dim=(-2, -1)))
