"""Bloque del decodificador que escribe mirando algo ya leído, sin repetir cuentas."""

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.blocks import DecoderBlock
from tfcourse.layers.cache import LayerCache
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

    def forward(
        self,
        x: Float[Tensor, "N L D"],
        seen: tuple[Float[Tensor, "B H Lk Dh"], Float[Tensor, "B H Lk Dh"]],
        cache: LayerCache | None = None,
    ) -> Float[Tensor, "N L D"]:
        """N puede ser un múltiplo de B: varias secuencias que miran la misma memoria."""
        x = self.around_attention(x, lambda y: self.attention(y, cache))
        x = self.around_cross_attention(x, lambda y: self.look(y, seen))
        return self.around_feed_forward(x, self.feed_forward)

    def look(self, x: Float[Tensor, "N L D"], seen: tuple[Tensor, Tensor]) -> Tensor:
        """La atención a la memoria. Como no hay máscara, las copias se consultan todas seguidas."""
        cross, (k, v) = self.cross_attention, seen
        q = cross.split(cross.q_proj(x.reshape(len(k), -1, x.shape[-1])))
        mixed = cross.kernel(q, k, v)
        return cross.out_proj(mixed.transpose(1, 2).flatten(2)).reshape_as(x)

    def look_weights(
        self, x: Float[Tensor, "B L D"], memory: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "B H L Lk"]:
        """A qué parte de la memoria mira cada posición, cabeza a cabeza."""
        x = self.around_attention(x, self.attention)
        return self.cross_attention.weights(self.around_cross_attention.seen(x), memory)
