"""T5: codificador y decodificador que leen texto y escriben texto, con posiciones relativas."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention import fused_attention
from tfcourse.layers.blocks import Residual
from tfcourse.layers.masks import causal_mask, padding_mask
from tfcourse.layers.norms import RMSNorm
from tfcourse.layers.relative_bias import RelativeBias
from tfcourse.models.seq2seq import check_source
from tfcourse.models.transformer import Memory, Rereader

# Raffel et al. (2020), § 2.1 y 3.7; «aula» es la del curso. d_head no es siempre d_model / n_heads.
VARIANTS = {
    "aula": {"d_model": 96, "n_heads": 4, "d_head": 24, "n_layers": 2, "d_hidden": 384},
    "small": {"d_model": 512, "n_heads": 8, "d_head": 64, "n_layers": 6, "d_hidden": 2048},
    "base": {"d_model": 768, "n_heads": 12, "d_head": 64, "n_layers": 12, "d_hidden": 3072},
    "large": {"d_model": 1024, "n_heads": 16, "d_head": 64, "n_layers": 24, "d_hidden": 4096},
    "3B": {"d_model": 1024, "n_heads": 32, "d_head": 128, "n_layers": 24, "d_hidden": 16384},
    "11B": {"d_model": 1024, "n_heads": 128, "d_head": 128, "n_layers": 24, "d_hidden": 65536},
}
PAPER_VOCABULARY = 32_128


@dataclass(frozen=True)
class T5Config:
    """Tamaños de T5; `VARIANTS` tiene los del artículo.

    Errores: `ValueError` si algún tamaño no es positivo.
    """

    n_tokens: int
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    d_head: int = VARIANTS["aula"]["d_head"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    dropout: float = 0.0
    n_buckets: int = 32
    max_distance: int = 128

    def __post_init__(self):
        for name in ("n_tokens", "d_model", "n_heads", "d_head", "n_layers", "d_hidden"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{name}={getattr(self, name)}: tiene que ser positivo; usa los tamaños de "
                    "VARIANTS"
                )


class T5Attention(nn.Module):
    """Atención multicabeza de T5: sin sesgos y sin dividir entre √d_k.

    La escala va en los pesos iniciales. Por dentro se usa el núcleo de siempre, que divide, así que
    antes se multiplica la consulta. Fuente: Raffel et al. (2020), § 2.1, y su código.
    """

    def __init__(self, config: T5Config, kernel: Callable[..., Tensor] = fused_attention):
        super().__init__()
        self.n_heads, self.kernel = config.n_heads, kernel
        inner = config.n_heads * config.d_head
        self.q_proj = nn.Linear(config.d_model, inner, bias=False)
        self.k_proj = nn.Linear(config.d_model, inner, bias=False)
        self.v_proj = nn.Linear(config.d_model, inner, bias=False)
        self.out_proj = nn.Linear(inner, config.d_model, bias=False)
        for layer, std in (
            (self.q_proj, (config.d_model * config.d_head) ** -0.5),
            (self.k_proj, config.d_model**-0.5),
            (self.v_proj, config.d_model**-0.5),
            (self.out_proj, inner**-0.5),
        ):
            nn.init.normal_(layer.weight, std=std)

    def forward(
        self,
        x: Float[Tensor, "B Lq D"],
        memory: Float[Tensor, "B Lk D"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "B Lq D"]:
        """Desde `x` hacia `memory`, con todas las cabezas a la vez."""
        q, k = self.split(self.q_proj(x)), self.split(self.k_proj(memory))
        v = self.split(self.v_proj(memory))
        mixed = self.kernel(q * math.sqrt(q.shape[-1]), k, v, mask=mask, bias=bias)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))

    def split(self, x: Float[Tensor, "B L I"]) -> Float[Tensor, "B H L Dh"]:
        """Reparte la última dimensión entre las cabezas."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)


class T5FeedForward(nn.Module):
    """Red por posición de T5: ReLU entre dos matrices, sin sesgos."""

    def __init__(self, config: T5Config):
        super().__init__()
        self.hidden = nn.Linear(config.d_model, config.d_hidden, bias=False)
        self.output = nn.Linear(config.d_hidden, config.d_model, bias=False)
        self.dropout = nn.Dropout(config.dropout)
        nn.init.normal_(self.hidden.weight, std=config.d_model**-0.5)
        nn.init.normal_(self.output.weight, std=config.d_hidden**-0.5)

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Transforma cada vector sin mirar a los demás."""
        return self.output(self.dropout(self.hidden(x).relu()))


class T5Block(nn.Module):
    """Bloque de T5, Pre-LN con RMSNorm; con `crossed`, también mira lo que dejó el codificador."""

    def __init__(self, config: T5Config, crossed: bool):
        super().__init__()

        def around() -> Residual:
            return Residual(config.d_model, config.dropout, True, RMSNorm)

        self.attention, self.around_attention = T5Attention(config), around()
        self.cross_attention = T5Attention(config) if crossed else None
        self.around_cross_attention = around() if crossed else None
        self.feed_forward, self.around_feed_forward = T5FeedForward(config), around()

    def forward(
        self, x: Float[Tensor, "B L D"], mask, bias, memory: Memory | None = None
    ) -> Float[Tensor, "B L D"]:
        """`bias` es el sesgo relativo, que solo entra en la autoatención."""
        x = self.around_attention(x, lambda y: self.attention(y, y, mask=mask, bias=bias))
        if memory is not None:
            x = self.around_cross_attention(
                x, lambda y: self.cross_attention(y, memory.states, mask=memory.mask)
            )
        return self.around_feed_forward(x, self.feed_forward)


class T5Stack(nn.Module):
    """Pila de bloques: el sesgo relativo se aprende una vez y lo comparten todas las capas."""

    def __init__(self, config: T5Config, decoder: bool):
        super().__init__()
        self.decoder = decoder
        self.relative_bias = RelativeBias(
            config.n_heads,
            bidirectional=not decoder,
            n_buckets=config.n_buckets,
            max_distance=config.max_distance,
        )
        # Los autores empiezan cerca de cero; con desviación 1 ya se prefieren unas distancias.
        nn.init.normal_(self.relative_bias.table.weight)
        self.blocks = nn.ModuleList(T5Block(config, decoder) for _ in range(config.n_layers))
        self.norm, self.dropout = RMSNorm(config.d_model), nn.Dropout(config.dropout)

    def forward(
        self, x: Float[Tensor, "B L D"], mask, memory: Memory | None = None
    ) -> Float[Tensor, "B L D"]:
        """De los embeddings a los vectores de la última capa, normalizados."""
        x, bias = self.dropout(x), self.relative_bias(x.shape[1])
        for block in self.blocks:
            x = block(x, mask, bias, memory)
        return self.dropout(self.norm(x))


class T5(Rereader, nn.Module):
    """T5 completo: una sola tabla de embeddings para leer, escribir y elegir lo que sigue.

    Al elegir, los vectores se multiplican antes por D^(−1/2), como en el código de los autores.
    Fuente: Raffel et al. (2020), § 2.1.
    """

    def __init__(self, config: T5Config):
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.n_tokens, config.d_model)
        nn.init.normal_(self.table.weight)
        self.encoder, self.decoder = T5Stack(config, False), T5Stack(config, True)

    def forward(
        self, source: Int[Tensor, "B Lk"], lengths: Int[Tensor, "B"], target: Int[Tensor, "B Lq"]
    ) -> Float[Tensor, "B Lq V"]:
        """Logits con forzado del profesor: `target` es la salida correcta, desde el inicio."""
        return self.decode(target, self.encode(source, lengths))

    def encode(self, source: Int[Tensor, "B Lk"], lengths: Int[Tensor, "B"]) -> Memory:
        """Lee la entrada entera, prefijo incluido."""
        check_source(source, lengths, self.config.n_tokens)
        mask = padding_mask(lengths, source.shape[1])
        return Memory(self.encoder(self.table(source), mask), mask)

    def decode(self, target: Int[Tensor, "B Lq"], memory: Memory) -> Float[Tensor, "B Lq V"]:
        """Logits del token que sigue a cada posición de `target`."""
        mask = causal_mask(target.shape[1], device=target.device)
        x = self.decoder(self.table(target), mask, memory)
        return x * self.config.d_model**-0.5 @ self.table.weight.T


def parameter_count(config: T5Config) -> int:
    """Cuántos parámetros tiene un T5, sin construirlo."""
    inner = config.n_heads * config.d_head
    attention, network = 4 * config.d_model * inner, 2 * config.d_model * config.d_hidden
    encoder = attention + network + 2 * config.d_model
    decoder = 2 * attention + network + 3 * config.d_model
    stacks = 2 * (config.d_model + config.n_buckets * config.n_heads)
    return config.n_tokens * config.d_model + config.n_layers * (encoder + decoder) + stacks
