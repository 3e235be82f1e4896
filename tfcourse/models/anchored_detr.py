"""DETR con anclas: cada consulta sabe dónde mira, y lo corrige capa a capa."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention_maps import AttentionMaps
from tfcourse.layers.image.anchors import TEMPERATURE, GaussianBias, SpatialBias, inverse_sigmoid
from tfcourse.layers.image.coordinate_waves import cell_centers, coordinate_waves, grid_waves
from tfcourse.layers.image.detection_blocks import (
    ObjectDecoderBlock,
    QueryHead,
    SeparatedDecoderBlock,
)
from tfcourse.models.detr import Detections, DETRConfig, ImageEncoder

PRIOR = 0.05  # probabilidad inicial de cada clase: casi todas las consultas no tienen objeto
FIRST_SIDE = 0.25  # lado inicial de las anclas, en partes de la imagen


@dataclass(frozen=True)
class AnchoredConfig(DETRConfig):
    """Tamaños de DETR y qué lleva además de las anclas; si no se dice nada, todo.

    `refined`: cada capa corrige la caja de la anterior, y no el ancla del principio. `yes_or_no`:
    cada clase es un sí o un no, sin la de «sin objeto». `spatial`: al mirar la imagen se suma un
    producto solo entre posiciones; con `separated`, además, el otro queda solo entre contenidos.
    `gaussian` y `two_stage`: atención gaussiana y consultas de dos etapas.
    Errores: los de `DETRConfig`, y `ValueError` si se piden dos etapas sin `yes_or_no`, o separar
    sin `spatial`.
    """

    refined: bool = True
    yes_or_no: bool = True
    spatial: bool = True
    separated: bool = True
    gaussian: bool = True
    two_stage: bool = True

    def __post_init__(self):
        super().__post_init__()
        if self.two_stage and not self.yes_or_no:
            raise ValueError(
                "las dos etapas eligen casillas por su clase más segura, y «sin objeto» no puede "
                "ser una de ellas: pon yes_or_no=True"
            )
        if self.separated and not self.spatial:
            raise ValueError(
                "si el contenido solo se compara con el contenido, la posición se compara "
                "aparte: pon spatial=True"
            )


class AnchoredDETR(nn.Module):
    """DETR con consultas que son cajas: la posición de cada una sale de su ancla.

    Tras cada capa, el ancla se corrige con lo que la capa ha visto. Fuente: Liu et al. (2022),
    DAB-DETR; la atención condicionada, de Meng et al. (2021); la gaussiana, de Gao et al. (2021);
    las dos etapas, de Zhu et al. (2021).
    """

    def __init__(self, config: AnchoredConfig):
        super().__init__()
        self.config = config
        d_model, layers = config.d_model, range(config.n_decoder)
        self.encoder = ImageEncoder(config)
        block = SeparatedDecoderBlock if config.separated else ObjectDecoderBlock
        self.decoder = nn.ModuleList(
            block(*config.block_size, **config.block_options) for _ in layers
        )
        self.norm = nn.LayerNorm(d_model)
        self.class_head = nn.Linear(d_model, config.n_classes + (not config.yes_or_no))
        self.box_head = QueryHead(d_model, 4)
        self.anchor_mlp = nn.Sequential(
            nn.Linear(2 * d_model, d_model), nn.ReLU(), nn.Linear(d_model, d_model)
        )
        self.spatial = nn.ModuleList(
            SpatialBias(d_model, config.n_heads) for _ in layers if config.spatial
        )
        self.gaussian = nn.ModuleList(
            GaussianBias(d_model, config.n_heads) for _ in layers if config.gaussian
        )
        self.start = None if config.two_stage else LearnedStart(config)
        if config.yes_or_no:
            nn.init.constant_(self.class_head.bias, -math.log(1 / PRIOR - 1))
        nn.init.zeros_(self.box_head[-1].weight)
        nn.init.zeros_(self.box_head[-1].bias)

    def forward(self, images: Float[Tensor, "B 3 Y X"]) -> list[Detections]:
        """Lo que predice cada capa; con dos etapas, delante va lo que propone el codificador."""
        return self._decode(images)[0]

    @torch.no_grad()
    def attention_maps(self, images: Float[Tensor, "B 3 Y X"]) -> AttentionMaps:
        """A qué mira cada casilla al leer, y cada consulta al responder, capa a capa."""
        layers = zip(self.decoder, self._decode(images)[1], strict=True)
        writing = [block.attention_maps(x, **seen) for block, (x, seen) in layers]
        return AttentionMaps.gather(self.encoder.attention_maps(images), writing)

    def _decode(self, images: Tensor) -> tuple[list[Detections], list[tuple[Tensor, dict]]]:
        """Lo que predice cada capa, y lo que recibe cada bloque del decodificador."""
        memory, grid = self.encoder(images)
        positions = grid_waves(*grid, memory.shape[-1]).to(memory)
        cells = cell_centers(*grid).to(memory)
        x, anchors, found = (
            self._best_cells(memory, cells) if self.start is None else self.start(memory, cells)
        )
        received = []
        for layer, block in enumerate(self.decoder):
            waves = coordinate_waves(anchors, memory.shape[-1] // 2, TEMPERATURE)
            query_positions = self.anchor_mlp(waves)
            seen = {"memory": memory, "query_positions": query_positions, "positions": positions}
            seen["bias"] = self._bias(layer, x, anchors, cells)
            received.append((x, seen))
            x = block(x, **seen)
            found.append(self._detections(self.norm(x), anchors))
            if self.config.refined:
                anchors = found[-1].boxes.detach()
        return found, received

    def _bias(self, layer: int, x: Tensor, anchors: Tensor, cells: Tensor) -> Tensor | None:
        """Lo que las anclas suman a los puntajes de una capa, si suman algo."""
        kinds = [kind[layer] for kind in (self.spatial, self.gaussian) if kind]
        each = [bias(x, anchors, cells) for bias in kinds]
        return sum(each[1:], start=each[0]) if each else None

    def _best_cells(self, memory: Tensor, cells: Tensor):
        """Consultas de dos etapas: las casillas que mejor puntúa el codificador, con su caja.

        Las juzgan las mismas cabezas que a las consultas. Fuente: Zhu et al. (2021), § 4.2 y
        apéndice A.4; Yao et al. (2021).
        """
        state = self.norm(memory)
        first = F.pad(cells, (0, 2), value=FIRST_SIDE)
        found = self._detections(state, first)
        best = found.logits.amax(dim=-1).topk(self.config.n_queries, dim=-1).indices[..., None]
        content = state.gather(1, best.expand(-1, -1, state.shape[-1])).detach()
        return content, found.boxes.gather(1, best.expand(-1, -1, 4)).detach(), [found]

    def _detections(self, state: Tensor, anchors: Tensor) -> Detections:
        boxes = (self.box_head(state) + inverse_sigmoid(anchors)).sigmoid()
        return Detections(self.class_head(state), boxes)


class LearnedStart(nn.Module):
    """Anclas aprendidas, las mismas para todas las imágenes, y contenido vacío, como en DETR."""

    def __init__(self, config: DETRConfig):
        super().__init__()
        boxes = torch.cat(
            [torch.rand(config.n_queries, 2), torch.full((config.n_queries, 2), FIRST_SIDE)], -1
        )
        self.anchors = nn.Parameter(inverse_sigmoid(boxes))

    def forward(self, memory: Tensor, cells: Tensor):
        """Contenido, anclas y ninguna propuesta."""
        anchors = self.anchors.sigmoid().expand(len(memory), -1, -1)
        return memory.new_zeros(*anchors.shape[:2], memory.shape[-1]), anchors, []
