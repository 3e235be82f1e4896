"""Bloques del decodificador que escriben mirando algo ya leído, sin repetir cuentas."""

from typing import NamedTuple

from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import BlockMaps, maps_by_layer
from tfcourse.layers.blocks import DecoderBlock
from tfcourse.layers.cache import KVCache, LayerCache
from tfcourse.layers.causal import CausalSelfAttention


class WritingBlock(DecoderBlock):
    """Bloque del decodificador, Pre-LN, con caché: de lo escrito y de lo que se mira.

    Las claves y los valores de la memoria no cambian al escribir: `read` los calcula una vez.
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__(d_model, n_heads, d_hidden, norm_first=True, norm=nn.LayerNorm)
        self.attention = CausalSelfAttention(d_model, n_heads)

    def read(self, memory: Float[Tensor, "B Lk D"]) -> tuple[Tensor, Tensor]:
        """Claves y valores de la memoria, por cabezas: lo que se mirará en cada paso."""
        cross = self.cross_attention
        return cross.split(cross.k_proj(memory)), cross.split(cross.v_proj(memory))

    def write(
        self,
        x: Float[Tensor, "N L D"],
        seen: tuple[Float[Tensor, "B H Lk Dh"], Float[Tensor, "B H Lk Dh"]],
        cache: LayerCache | None = None,
    ) -> Float[Tensor, "N L D"]:
        """Lo mismo que `forward`, con la memoria ya leída y con caché.

        N puede ser un múltiplo de B: varias secuencias que miran la misma memoria.
        """
        x = self.around_attention(x, lambda y: self.attention(y, y, y, cache=cache))
        x = self.around_cross_attention(x, lambda y: self.look(y, seen))
        return self.around_feed_forward(x, self.feed_forward)

    def look(self, x: Float[Tensor, "N L D"], seen: tuple[Tensor, Tensor]) -> Tensor:
        """La atención a la memoria. Como no hay máscara, las copias se consultan todas seguidas."""
        cross, (k, v) = self.cross_attention, seen
        q = cross.split(cross.q_proj(x.reshape(len(k), -1, x.shape[-1])))
        mixed = cross.kernel(q, k, v)
        return cross.out_proj(mixed.transpose(1, 2).flatten(2)).reshape_as(x)


class WritingState(NamedTuple):
    """Lo que se guarda al escribir: lo que se mira, por capas, y la caché de lo escrito."""

    seen: list[tuple[Tensor, Tensor]]
    cache: KVCache

    def select(self, rows: Int[Tensor, "K"]) -> "WritingState":
        """El estado de algunas filas, repetidas si hace falta: para la búsqueda en haz."""
        return WritingState([(k[rows], v[rows]) for k, v in self.seen], self.cache.select(rows))


class WritingBlocks(nn.ModuleList):
    """Bloques que escriben, uno encima de otro: de una vez o paso a paso, con lo mismo al final."""

    def forward(
        self, x: Float[Tensor, "N L D"], memory: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "N L D"]:
        """De una vez: todo lo escrito, mirando la memoria."""
        for block in self:
            x = block.write(x, block.read(memory))
        return x

    def start(self, memory: Float[Tensor, "B Lk D"], max_length: int) -> WritingState:
        """Lee la memoria, una sola vez, y deja sitio para escribir hasta `max_length`."""
        return WritingState([block.read(memory) for block in self], KVCache(len(self), max_length))

    def step(self, x: Float[Tensor, "B L D"], state: WritingState) -> Float[Tensor, "B L D"]:
        """Un paso al escribir: lo nuevo mira lo ya escrito y la memoria, y se apunta."""
        for block, seen, cache in zip(self, state.seen, state.cache.layers, strict=True):
            x = block.write(x, seen, cache)
        return x

    def attention_maps(
        self, x: Float[Tensor, "N L D"], memory: Float[Tensor, "B Lk D"]
    ) -> list[BlockMaps]:
        """A qué mira cada posición, capa a capa: de lo ya escrito y de la memoria."""
        return maps_by_layer(self, x, memory.repeat_interleave(len(x) // len(memory), dim=0))
