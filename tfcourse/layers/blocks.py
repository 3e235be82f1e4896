"""Bloques del Transformer: atención, red por posición, residuos y normalización."""

from collections.abc import Callable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention, fused_attention
from tfcourse.layers.attention_maps import BlockMaps
from tfcourse.layers.norms import LayerNorm


class FeedForward(nn.Module):
    """Red por posición: la misma red de una capa oculta para cada token, por separado.

    Fuente: Vaswani et al. (2017), § 3.3, ec. 2; sin sesgos, `bias=False`, Raffel et al. (2020).
    """

    def __init__(
        self,
        d_model: int,
        d_hidden: int,
        activation: Callable[[], nn.Module] = nn.ReLU,
        bias: bool = True,
    ):
        super().__init__()
        self.hidden = nn.Linear(d_model, d_hidden, bias=bias)
        self.activation = activation()
        self.output = nn.Linear(d_hidden, d_model, bias=bias)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Transforma cada vector sin mirar a los demás."""
        return self.output(self.activation(self.hidden(x)))


class Residual(nn.Module):
    """Conexión residual con normalización: detrás (Post-LN) o delante (Pre-LN) de la subcapa.

    Post-LN: norma(x + subcapa(x)), como Vaswani et al. (2017). Pre-LN: x + subcapa(norma(x)).
    """

    def __init__(
        self,
        d_model: int,
        dropout: float,
        norm_first: bool,
        norm: Callable[[int], nn.Module] = LayerNorm,
    ):
        super().__init__()
        self.norm = norm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(
        self, x: Float[Tensor, "*B D"], sublayer: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "*B D"]:
        """Suma a la entrada lo que devuelve la subcapa."""
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))

    def seen(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Lo que le llega a la subcapa."""
        return self.norm(x) if self.norm_first else x


class EncoderBlock(nn.Module):
    """Bloque del codificador: autoatención y red por posición.

    Fuente: Vaswani et al. (2017), § 3.1.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_hidden: int,
        *,
        dropout: float = 0.0,
        norm_first: bool = False,
        kernel: Callable[..., Tensor] = fused_attention,
        activation: Callable[[], nn.Module] = nn.ReLU,
        norm: Callable[[int], nn.Module] = LayerNorm,
    ):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, kernel)
        self.feed_forward = FeedForward(d_model, d_hidden, activation)
        self.around_attention = Residual(d_model, dropout, norm_first, norm)
        self.around_feed_forward = Residual(d_model, dropout, norm_first, norm)

    def forward(
        self, x: Float[Tensor, "B L D"], mask: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "B L D"]:
        """Cada posición consulta a todas las que permite `mask`."""
        x = self.around_attention(x, lambda y: self.attention(y, y, y, mask=mask))
        return self.around_feed_forward(x, self.feed_forward)

    def attention_maps(
        self, x: Float[Tensor, "B L D"], mask: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "B H L L"]:
        """Pesos de cada cabeza al leer `x`."""
        y = self.around_attention.seen(x)
        return self.attention.attention_maps(y, y, mask=mask)


class DecoderBlock(nn.Module):
    """Bloque del decodificador: autoatención causal, atención al codificador y red por posición.

    Fuente: Vaswani et al. (2017), § 3.1.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_hidden: int,
        *,
        dropout: float = 0.0,
        norm_first: bool = False,
        kernel: Callable[..., Tensor] = fused_attention,
        activation: Callable[[], nn.Module] = nn.ReLU,
        norm: Callable[[int], nn.Module] = LayerNorm,
    ):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, kernel)
        self.cross_attention = MultiHeadAttention(d_model, n_heads, kernel)
        self.feed_forward = FeedForward(d_model, d_hidden, activation)
        self.around_attention = Residual(d_model, dropout, norm_first, norm)
        self.around_cross_attention = Residual(d_model, dropout, norm_first, norm)
        self.around_feed_forward = Residual(d_model, dropout, norm_first, norm)

    def forward(
        self,
        x: Float[Tensor, "B Lq D"],
        memory: Float[Tensor, "B Lk D"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "B Lq D"]:
        """`mask` limita la mirada a lo ya escrito; `memory_mask`, a la entrada sin relleno."""
        x = self.around_attention(x, lambda y: self.attention(y, y, y, mask=mask))
        x = self.around_cross_attention(
            x, lambda y: self.cross_attention(y, memory, memory, mask=memory_mask)
        )
        return self.around_feed_forward(x, self.feed_forward)

    def attention_maps(
        self,
        x: Float[Tensor, "B Lq D"],
        memory: Float[Tensor, "B Lk D"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
    ) -> BlockMaps:
        """Pesos de cada cabeza: los de la autoatención y los de la atención al codificador."""
        y = self.around_attention.seen(x)
        own = self.attention.attention_maps(y, y, mask=mask)
        x = self.around_attention(x, lambda z: self.attention(z, z, z, mask=mask))
        y = self.around_cross_attention.seen(x)
        return BlockMaps(own, self.cross_attention.attention_maps(y, memory, mask=memory_mask))
