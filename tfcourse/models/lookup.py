"""Lector de ficheros: una sola capa de atención responde a dos preguntas a la vez."""

from collections.abc import Callable
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.lookup import DIGITS, LETTERS, Lookups
from tfcourse.layers.attention import MultiHeadAttention, fused_attention


@dataclass(frozen=True)
class LookupConfig:
    """Tamaños del lector y núcleo de atención; con `d_hidden`, la salida lleva una capa oculta."""

    d_model: int = 32
    n_heads: int = 2
    d_hidden: int | None = None
    kernel: Callable[..., Tensor] = fused_attention


class LookupReader(nn.Module):
    """Lector de ficheros: pregunta con dos letras a la vez y responde dos cifras.

    Cada ficha es la suma del embedding de su letra y el de su cifra; la consulta, la suma de las
    dos letras preguntadas. Todo lo demás es una capa de atención multicabeza y una de salida.
    """

    def __init__(self, config: LookupConfig):
        super().__init__()
        width = config.d_model
        self.letter = nn.Embedding(len(LETTERS), width)
        self.digit = nn.Embedding(len(DIGITS), width)
        self.asked = nn.ModuleList(nn.Embedding(len(LETTERS), width) for _ in range(2))
        self.attention = MultiHeadAttention(width, config.n_heads, kernel=config.kernel)
        self.output = _output_layer(width, config.d_hidden)

    def forward(self, lookups: Lookups) -> Float[Tensor, "B 2 V"]:
        """Logits de la cifra de cada pregunta."""
        query, cards = self.read(lookups)
        found = self.attention(query, cards, cards)
        return self.output(found[:, 0]).unflatten(-1, (2, len(DIGITS)))

    def weights(self, lookups: Lookups) -> Float[Tensor, "B H N"]:
        """A qué fichas mira cada cabeza."""
        return self.attention.weights(*self.read(lookups))[:, :, 0]

    def read(self, lookups: Lookups) -> tuple[Float[Tensor, "B 1 D"], Float[Tensor, "B N D"]]:
        """La consulta y las fichas, en vectores."""
        query = sum(table(lookups.asked[:, i]) for i, table in enumerate(self.asked))
        return query[:, None], self.letter(lookups.letters) + self.digit(lookups.digits)


def _output_layer(width: int, d_hidden: int | None) -> nn.Module:
    n_outputs = 2 * len(DIGITS)
    if d_hidden is None:
        return nn.Linear(width, n_outputs)
    return nn.Sequential(nn.Linear(width, d_hidden), nn.ReLU(), nn.Linear(d_hidden, n_outputs))
