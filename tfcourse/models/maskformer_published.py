"""El MaskFormer publicado: un Swin lee la imagen, y lo demás es el MaskFormer del curso."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.image.segmentation_blocks import PixelDecoder
from tfcourse.layers.norms import LayerNorm
from tfcourse.models.segmentation import MaskFormer, MaskFormerConfig
from tfcourse.models.swin import Swin, SwinConfig

GROUPS = 32  # en cuántos grupos de canales se normaliza


class GroupedPixelDecoder(PixelDecoder):
    """La pirámide, normalizada por grupos de canales, y una convolución más sobre el piso fino.

    No depende del lote, que al aprender con fotos grandes es de pocas. Fuente: Cheng et al. (2021),
    § 4.1; la normalización por grupos, de Wu y He (2018).
    Errores: `ValueError` si `d_pixel` no se reparte en los grupos.
    """

    def __init__(self, channels: Sequence[int], d_pixel: int, d_mask: int):
        if d_pixel % GROUPS:
            raise ValueError(f"d_pixel={d_pixel} no se reparte en {GROUPS} grupos: usa un múltiplo")
        super().__init__(channels, d_pixel)
        for part in (self.top, *self.lateral, *self.smooth):
            part[1] = nn.GroupNorm(GROUPS, d_pixel)
        self.to_masks = nn.Conv2d(d_pixel, d_mask, 3, padding=1)

    def forward(self, maps: Sequence[Float[Tensor, "B ..."]]) -> list[Float[Tensor, "B _ _ _"]]:
        """Un mapa por piso, del más tosco al más fino, y al final el que da las máscaras."""
        levels = super().forward(maps)
        return [*levels, self.to_masks(levels[-1])]


class SwinPixelReader(nn.Module):
    """Lo que lee la imagen: las etapas de un Swin, cada una con su norma, y la pirámide.

    El decodificador mira la última etapa. Fuente: Cheng et al. (2021), § 4.1.
    Errores: `ValueError` si la imagen es tan pequeña que la última etapa cabe en una ventana: los
    autores la desplazan también entonces, y nuestro Swin, no.
    """

    def __init__(self, config: MaskFormerConfig, swin: SwinConfig, d_fpn: int):
        super().__init__()
        self.backbone = Swin(swin)
        self.backbone.head = nn.Identity()
        self.norms = nn.ModuleList(LayerNorm(width) for width in swin.widths)
        self.projection = nn.Conv2d(swin.widths[-1], config.d_model, 1)
        self.pixel_decoder = GroupedPixelDecoder(swin.widths, d_fpn, config.d_pixel)

    def forward(
        self, images: Float[Tensor, "B 3 Y X"]
    ) -> tuple[Float[Tensor, "B L D"], list[Float[Tensor, "B ..."]]]:
        """Un vector por casilla de la última etapa, y la pirámide."""
        found = self.backbone.maps(images)
        window = self.backbone.config.window
        if min(found[-1].shape[1:3]) <= window:
            rows, columns = found[-1].shape[1:3]
            raise ValueError(
                f"la última etapa de este Swin es de {rows} × {columns} casillas y sus ventanas, "
                f"de {window}: usa una imagen mayor"
            )
        normed = [norm(one).movedim(-1, 1) for norm, one in zip(self.norms, found, strict=True)]
        memory = self.projection(normed[-1]).flatten(2).transpose(1, 2)
        return memory, self.pixel_decoder(normed)


class PublishedMaskFormer(MaskFormer):
    """MaskFormer tal como se publicó: las clases compiten, y la última es «sin objeto».

    Fuente: Cheng et al. (2021), § 3.3 y § 4.1.
    """

    def __init__(self, config: MaskFormerConfig, swin: SwinConfig, d_fpn: int):
        super().__init__(config)
        self.reader = SwinPixelReader(config, swin, d_fpn)
        self.class_head = nn.Linear(config.d_model, config.n_classes + 1)
