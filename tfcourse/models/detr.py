"""DETR: detección como predicción de un conjunto."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention_maps import AttentionMaps, maps_by_layer
from tfcourse.layers.image.coordinate_waves import grid_waves
from tfcourse.layers.image.detection_blocks import (
    ConvBackbone,
    ImageEncoderBlock,
    ObjectDecoderBlock,
    QueryHead,
)

# Carion et al. (2020), § 4 y apéndice A.4 («base»); las otras dos son del curso: «mini» es la que
# se entrena en un minuto.
VARIANTS = {
    "mini": {
        "n_queries": 8,
        "d_model": 64,
        "n_heads": 4,
        "n_encoder": 1,
        "n_decoder": 2,
        "d_hidden": 128,
        "norm_first": True,
        "place_content": True,
    },
    "aula": {
        "n_queries": 8,
        "d_model": 128,
        "n_heads": 8,
        "n_encoder": 1,
        "n_decoder": 2,
        "d_hidden": 256,
        "norm_first": True,
    },
    "base": {
        "n_queries": 100,
        "d_model": 256,
        "n_heads": 8,
        "n_encoder": 6,
        "n_decoder": 6,
        "d_hidden": 2048,
        "norm_first": False,
    },
}


@dataclass(frozen=True)
class DETRConfig:
    """Tamaños de un detector; `VARIANTS` tiene los del artículo.

    `n_queries` es el máximo de objetos por imagen. Con `place_content`, la posición se suma también
    a lo que entra en el codificador, y llega a los valores: el artículo lo mide en su tabla 3
    («senos a la entrada»). Errores: `ValueError` si no hay clases o consultas.
    """

    n_classes: int
    n_queries: int = VARIANTS["aula"]["n_queries"]
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_encoder: int = VARIANTS["aula"]["n_encoder"]
    n_decoder: int = VARIANTS["aula"]["n_decoder"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    norm_first: bool = VARIANTS["aula"]["norm_first"]
    place_content: bool = False

    def __post_init__(self):
        if min(self.n_classes, self.n_queries) < 1:
            raise ValueError(
                f"n_classes={self.n_classes} y n_queries={self.n_queries}: hace falta al menos una "
                "clase, sin contar «sin objeto», y una consulta"
            )

    @property
    def block_size(self) -> tuple[int, int, int]:
        """Los tres tamaños de un bloque."""
        return self.d_model, self.n_heads, self.d_hidden

    @property
    def block_options(self) -> dict:
        """Cómo normalizan los bloques; `nn.LayerNorm` es la nuestra, más rápida."""
        return {"norm_first": self.norm_first, "norm": nn.LayerNorm}


class Detections(NamedTuple):
    """Lo que predice una capa: N objetos por imagen, con su clase (logits) y su caja.

    Las cajas van como centro y tamaño, en partes de la imagen.
    """

    logits: Float[Tensor, "B N C"]
    boxes: Float[Tensor, "B N 4"]


class ImageEncoder(nn.Module):
    """Lo que lee la imagen: red convolucional y codificador con posiciones de dos dimensiones.

    Fuente: Carion et al. (2020), § 3.2. `backbone` puede ser cualquier red que devuelva
    `(B, K, filas, columnas)`; si K no es `d_model`, indica `n_features`.
    """

    def __init__(
        self,
        config: DETRConfig,
        backbone: nn.Module | None = None,
        n_features: int | None = None,
    ):
        super().__init__()
        self.place_content = config.place_content
        self.backbone = backbone or ConvBackbone(config.d_model)
        self.projection = nn.Conv2d(n_features or config.d_model, config.d_model, 1)
        self.blocks = nn.ModuleList(
            ImageEncoderBlock(*config.block_size, **config.block_options)
            for _ in range(config.n_encoder)
        )
        # Con Pre-LN nadie ha normalizado lo último que se sumó.
        self.norm = nn.LayerNorm(config.d_model) if config.norm_first else nn.Identity()

    def forward(
        self, images: Float[Tensor, "B K Y X"]
    ) -> tuple[Float[Tensor, "B L D"], tuple[int, int]]:
        """Un vector por casilla, y cuántas filas y columnas hay. La red decide cuántos canales."""
        x, positions, grid = self._cells(images)
        for block in self.blocks:
            x = block(x, positions=positions)
        return self.norm(x), grid

    @torch.no_grad()
    def attention_maps(self, images: Float[Tensor, "B K Y X"]) -> list[Float[Tensor, "B H L L"]]:
        """A qué casillas mira cada una, capa a capa."""
        x, positions, _ = self._cells(images)
        return maps_by_layer(self.blocks, x, positions=positions)

    def _cells(self, images: Tensor) -> tuple[Tensor, Tensor, tuple[int, int]]:
        """Lo que leen los bloques: las casillas, sus posiciones y cuántas filas y columnas hay."""
        features = self.projection(self.backbone(images))
        rows, columns = features.shape[-2:]
        x = features.flatten(2).transpose(1, 2)
        positions = grid_waves(rows, columns, x.shape[-1]).to(x)
        if self.place_content:
            x = x + positions
        return x, positions, (rows, columns)


class DETR(nn.Module):
    """DETR: N consultas aprendidas preguntan a la imagen y cada una responde con un objeto.

    La última clase, la número `n_classes`, es «sin objeto». Fuente: Carion et al. (2020), § 3.2.
    """

    def __init__(self, config: DETRConfig, encoder: nn.Module | None = None):
        super().__init__()
        self.config = config
        self.encoder = encoder or ImageEncoder(config)
        self.queries = nn.Embedding(config.n_queries, config.d_model)
        self.decoder = nn.ModuleList(
            ObjectDecoderBlock(*config.block_size, **config.block_options)
            for _ in range(config.n_decoder)
        )
        self.norm = nn.LayerNorm(config.d_model)
        self.class_head = nn.Linear(config.d_model, config.n_classes + 1)
        self.box_head = QueryHead(config.d_model, 4)

    def forward(self, images: Float[Tensor, "B 3 Y X"]) -> list[Detections]:
        """Lo que predice cada capa del decodificador; la respuesta del modelo es la última."""
        x, seen = self._start(images)
        states = []
        for block in self.decoder:
            x = block(x, **seen)
            states.append(x)
        return [
            Detections(self.class_head(x), self.box_head(x).sigmoid())
            for x in map(self.norm, states)
        ]

    @torch.no_grad()
    def attention_maps(self, images: Float[Tensor, "B 3 Y X"]) -> AttentionMaps:
        """A qué mira cada casilla al leer, y cada consulta al responder, capa a capa."""
        x, seen = self._start(images)
        writing = maps_by_layer(self.decoder, x, **seen)
        return AttentionMaps.gather(self.encoder.attention_maps(images), writing)

    def _start(self, images: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        """El contenido con el que empiezan las consultas, y lo que ven en todas las capas."""
        memory, grid = self.encoder(images)
        positions = grid_waves(*grid, memory.shape[-1]).to(memory)
        seen = {"query_positions": self.queries.weight, "positions": positions}
        x = torch.zeros(len(images), *self.queries.weight.shape).to(memory)
        return x, {"memory": memory} | seen
