"""Piezas de un segmentador: la pirámide de rasgos y la atención que solo mira dentro."""

from collections.abc import Sequence

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.attention_maps import BlockMaps
from tfcourse.layers.image.detection_blocks import QueryBlock, convolution


class PixelDecoder(nn.Module):
    """Decodificador de píxeles: una pirámide de rasgos (FPN), de lo tosco a lo fino.

    Cada piso agranda el anterior hasta su tamaño, le suma sus propios rasgos y lo repasa con una
    convolución: lo que se sabe de lejos llega a cada punto. `channels` son los de cada mapa, del
    más fino al más tosco. Fuente: Lin et al. (2017), § 3; Cheng et al. (2021), § 4.1.
    """

    def __init__(self, channels: Sequence[int], d_pixel: int):
        super().__init__()
        *finer, coarsest = channels
        self.top = convolution(coarsest, d_pixel)
        self.lateral = nn.ModuleList(
            nn.Sequential(nn.Conv2d(k, d_pixel, 1, bias=False), nn.BatchNorm2d(d_pixel))
            for k in reversed(finer)
        )
        self.smooth = nn.ModuleList(convolution(d_pixel, d_pixel) for _ in finer)

    def forward(self, maps: Sequence[Float[Tensor, "B ..."]]) -> list[Float[Tensor, "B D y x"]]:
        """Un mapa por piso, del más tosco al más fino."""
        *finer, coarsest = maps
        levels = [self.top(coarsest)]
        for lateral, smooth, own in zip(self.lateral, self.smooth, reversed(finer), strict=True):
            wider = F.interpolate(levels[-1], size=own.shape[-2:], mode="nearest")
            levels.append(smooth(wider + lateral(own)))
        return levels


class MaskedDecoderBlock(QueryBlock):
    """Bloque con atención enmascarada: primero mira la imagen, y solo dentro de su máscara.

    Después las consultas se hablan entre sí. El orden es el contrario del de DETR, porque lo que
    entra en la primera capa aún no ha visto nada. Fuente: Cheng et al. (2022), § 3.2.
    """

    def forward(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "B 1 N L"] | None = None,
        *,
        query_positions: Float[Tensor, "*B N D"] | float = 0.0,
        positions: Float[Tensor, "L D"] | float = 0.0,
    ) -> Float[Tensor, "B N D"]:
        """`memory_mask` dice qué casillas puede mirar cada consulta."""
        x = self.look(x, memory, query_positions, positions, mask=memory_mask)
        x = self.talk(x, query_positions, mask)
        return self.around_feed_forward(x, self.feed_forward)

    def attention_maps(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "B 1 N L"] | None = None,
        *,
        query_positions: Float[Tensor, "*B N D"] | float = 0.0,
        positions: Float[Tensor, "L D"] | float = 0.0,
    ) -> BlockMaps:
        """A qué consultas y a qué casillas mira cada consulta, cabeza a cabeza."""
        y, keys = self.around_cross_attention.seen(x) + query_positions, memory + positions
        cross = self.cross_attention.attention_maps(y, keys, mask=memory_mask)
        x = self.look(x, memory, query_positions, positions, mask=memory_mask)
        y = self.around_attention.seen(x) + query_positions
        return BlockMaps(self.attention.attention_maps(y, y, mask=mask), cross)
