"""ViTPose: un ViT cuyos parches se convierten, con convoluciones, en mapas de calor."""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.models.vit import ViT, ViTConfig, check_images

EDGE = 2  # los parches empiezan dos píxeles antes que la imagen, y acaban dos antes
ENLARGED = 4  # cuántas veces más puntos por lado tiene el mapa de calor que la rejilla de parches


class SimpleMaps(nn.Module):
    """Cabeza sencilla: ReLU, agrandar e interpolar, y una convolución.

    Fuente: Xu et al. (2022), § 3.1, ec. 3.
    """

    def __init__(self, d_model: int, n_keypoints: int):
        super().__init__()
        self.last = nn.Conv2d(d_model, n_keypoints, 3, padding=1)

    def forward(self, grid: Float[Tensor, "B D rows columns"]) -> Float[Tensor, "B K Y X"]:
        """Un mapa por articulación."""
        larger = F.interpolate(grid.relu(), scale_factor=ENLARGED, mode="bilinear")
        return self.last(larger)


class ClassicMaps(nn.Module):
    """Cabeza clásica: dos convoluciones traspuestas, que doblan el lado, y una que acaba.

    Fuente: Xu et al. (2022), § 3.1, ec. 2.
    """

    def __init__(self, d_model: int, n_keypoints: int, width: int = 256):
        super().__init__()
        self.first = nn.ConvTranspose2d(d_model, width, 4, stride=2, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.ConvTranspose2d(width, width, 4, stride=2, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(width)
        self.last = nn.Conv2d(width, n_keypoints, 1)

    def forward(self, grid: Float[Tensor, "B D rows columns"]) -> Float[Tensor, "B K Y X"]:
        """Un mapa por articulación."""
        x = self.first_norm(self.first(grid)).relu()
        return self.last(self.second_norm(self.second(x)).relu())


class PublishedPose(ViT):
    """ViTPose: el codificador de un ViT, sin token de clase, y una cabeza de mapas de calor.

    `config.n_classes` son las articulaciones. Fuente: Xu et al. (2022), § 3.1.
    """

    def __init__(self, config: ViTConfig, simple: bool):
        super().__init__(config)
        kind = SimpleMaps if simple else ClassicMaps
        self.head = kind(config.d_model, config.n_classes)

    def tokens(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """Lo que lee el codificador: los parches, con posición."""
        check_images(images, self.config)
        shifted = F.pad(images, (EDGE, -EDGE, EDGE, -EDGE))
        return self.positions(self.embedding(shifted))

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K rows columns"]:
        """Un mapa de calor por articulación."""
        return self.head(self.encode(images).mT.unflatten(-1, self.config.grid))
