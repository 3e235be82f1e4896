"""Segmentar es decir un conjunto de máscaras, cada una con su clase: MaskFormer y Mask2Former."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.image.coordinate_waves import cell_centers, grid_waves
from tfcourse.layers.image.detection_blocks import ConvBackbone, ObjectDecoderBlock, QueryHead
from tfcourse.layers.image.segmentation_blocks import MaskedDecoderBlock, PixelDecoder
from tfcourse.layers.masks import foreground_mask
from tfcourse.models.detr import VARIANTS as DETR_VARIANTS
from tfcourse.models.detr import DETRConfig, ImageEncoder

MINI, BASE = DETR_VARIANTS["mini"], DETR_VARIANTS["base"]

# «mini» es la que se entrena en la página; las otras dos, Cheng et al. (2021), § 4.1, y (2022),
# § 4.1: nueve capas que dan tres vueltas a tres pisos.
VARIANTS = {
    "mini": MINI | {"n_queries": 12, "d_pixel": 32},
    "maskformer": BASE | {"n_encoder": 0, "d_pixel": 256},
    "mask2former": BASE | {"n_encoder": 0, "n_decoder": 9, "d_pixel": 256},
}
PRIOR = 0.05  # probabilidad inicial de cada clase: casi ninguna consulta tiene segmento


@dataclass(frozen=True)
class MaskFormerConfig(DETRConfig):
    """Tamaños de DETR y, además, cuántos números describen cada punto (`d_pixel`).

    `n_classes` cuenta el fondo, que es una clase más. Con `masked`, la atención de Mask2Former se
    limita a la máscara de la capa anterior; con `seeded`, sus consultas nacen de las casillas que
    mejor puntúa el codificador.
    """

    d_pixel: int = 32
    masked: bool = True
    seeded: bool = True


class Segments(NamedTuple):
    """Lo que predice una capa: N segmentos por imagen, cada uno con su clase y su máscara.

    Las clases y los puntos de la máscara van en logits: cada uno, un sí o un no. `places` dice en
    qué punto (x, y), en partes de la imagen, nació cada consulta; las aprendidas no nacen en uno.
    """

    logits: Float[Tensor, "B N C"]
    masks: Float[Tensor, "B N y x"]
    places: Float[Tensor, "B N 2"] | None = None


class PixelReader(nn.Module):
    """Lo que lee la imagen: la red y el codificador de DETR, y la pirámide que vuelve a lo fino."""

    def __init__(self, config: MaskFormerConfig):
        super().__init__()
        first, second, *rest = ConvBackbone(config.d_model)
        self.fine = nn.ModuleList([first, second])
        self.encoder = ImageEncoder(config, nn.Sequential(*rest))
        channels = [stage[0].out_channels for stage in self.fine] + [config.d_model]
        self.pixel_decoder = PixelDecoder(channels, config.d_pixel)

    def forward(
        self, images: Float[Tensor, "B 3 Y X"]
    ) -> tuple[Float[Tensor, "B L D"], list[Float[Tensor, "B K y x"]]]:
        """Un vector por casilla, y la pirámide: de un octavo del lado a la mitad."""
        maps = [images]
        for stage in self.fine:
            maps.append(stage(maps[-1]))
        memory, grid = self.encoder(maps[-1])
        coarse = memory.transpose(1, 2).unflatten(-1, grid)
        return memory, self.pixel_decoder([*maps[1:], coarse])


class MaskFormer(nn.Module):
    """MaskFormer: N consultas, y cada una responde con una clase y una máscara de toda la imagen.

    Un punto es de una consulta si el vector del punto y el de la consulta apuntan a lo mismo.
    Fuente: Cheng et al. (2021), § 3.3 y 4.1; cada clase es aquí un sí o un no, sin «sin objeto».
    """

    def __init__(self, config: MaskFormerConfig):
        super().__init__()
        self.config = config
        self.reader = PixelReader(config)
        self.queries = nn.Embedding(config.n_queries, config.d_model)
        self.decoder = nn.ModuleList(self.block(config) for _ in range(config.n_decoder))
        self.norm = nn.LayerNorm(config.d_model)
        self.class_head = nn.Linear(config.d_model, config.n_classes)
        self.mask_head = QueryHead(config.d_model, config.d_pixel)
        nn.init.constant_(self.class_head.bias, -math.log(1 / PRIOR - 1))

    def block(self, config: MaskFormerConfig) -> nn.Module:
        """Una capa del decodificador: la de DETR."""
        return ObjectDecoderBlock(*config.block_size, **config.block_options)

    def forward(self, images: Float[Tensor, "B 3 Y X"]) -> list[Segments]:
        """Lo que predice cada capa; la respuesta del modelo es la última."""
        memory, levels = self.reader(images)
        positions = grid_waves(*levels[0].shape[-2:], memory.shape[-1]).to(memory)
        x = torch.zeros(len(images), *self.queries.weight.shape).to(memory)
        found = []
        for block in self.decoder:
            x = block(x, memory, query_positions=self.queries.weight, positions=positions)
            found.append(self.segments(x, levels[-1]))
        return found

    def segments(self, x: Float[Tensor, "B N D"], pixels: Float[Tensor, "B K y x"]) -> Segments:
        """Clase y máscara de cada consulta: la máscara es un producto escalar en cada punto."""
        state = self.norm(x)
        masks = torch.einsum("bnk, bkyx -> bnyx", self.mask_head(state), pixels)
        return Segments(self.class_head(state), masks)


class Mask2Former(MaskFormer):
    """Mask2Former: cada consulta mira solo dentro de su máscara, y en un piso distinto cada capa.

    Las capas se turnan por los pisos toscos de la pirámide; el más fino solo da las máscaras. Ya
    antes de la primera hay una máscara, la que da la consulta sola.
    Fuente: Cheng et al. (2022), § 3.2; las consultas sembradas, de Zhu et al. (2021), § 4.2.
    """

    def __init__(self, config: MaskFormerConfig):
        super().__init__(config)
        d_model, n_levels = config.d_model, len(self.reader.pixel_decoder.smooth)
        self.to_memory = nn.ModuleList(
            nn.Conv2d(config.d_pixel, d_model, 1) for _ in range(n_levels)
        )
        self.level = nn.Embedding(n_levels, d_model)
        self.content = None if config.seeded else nn.Embedding(config.n_queries, d_model)
        if config.seeded:
            self.queries = None

    def block(self, config: MaskFormerConfig) -> nn.Module:
        """Una capa del decodificador: la de atención enmascarada."""
        return MaskedDecoderBlock(*config.block_size, **config.block_options)

    def forward(self, images: Float[Tensor, "B 3 Y X"]) -> list[Segments]:
        """Lo que predice cada capa; delante, lo que se dice antes de la primera."""
        memory, (*coarse, finest) = self.reader(images)
        start = self._learned if self.content is not None else self._best_cells
        x, query_positions, shown, found = start(memory, coarse[0].shape[-2:], finest)
        for layer, block in enumerate(self.decoder):
            number = layer % len(coarse)
            grid = coarse[number].shape[-2:]
            seen = self.to_memory[number](coarse[number]).flatten(2).transpose(1, 2)
            x = block(
                x,
                seen + self.level.weight[number],
                memory_mask=foreground_mask(shown.masks, grid) if self.config.masked else None,
                query_positions=query_positions,
                positions=grid_waves(*grid, seen.shape[-1]).to(seen),
            )
            shown = self.segments(x, finest)._replace(places=shown.places)
            found.append(shown)
        return found

    def _learned(self, memory: Tensor, grid, finest: Tensor):
        """Consultas aprendidas: las mismas para todas las imágenes."""
        x = self.content.weight.expand(len(memory), -1, -1)
        shown = self.segments(x, finest)
        return x, self.queries.weight, shown, [shown]

    def _best_cells(self, memory: Tensor, grid, finest: Tensor):
        """Consultas sembradas: las casillas que mejor puntúa el codificador, con su máscara."""
        places = cell_centers(*grid).to(memory).expand(len(memory), -1, -1)
        found = self.segments(memory, finest)._replace(places=places)
        best = found.logits.amax(dim=-1).topk(self.config.n_queries, dim=-1).indices
        rows = torch.arange(len(memory), device=memory.device)[:, None]
        shown = Segments(*(part[rows, best] for part in found))
        positions = grid_waves(*grid, memory.shape[-1]).to(memory)[best]
        return memory[rows, best].detach(), positions, shown, [found]
