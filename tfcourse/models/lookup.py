"""Lector de ficheros: una sola capa de atención responde a dos preguntas a la vez."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention, fused_attention


@dataclass(frozen=True)
class LookupConfig:
    """Tamaños del lector y núcleo de atención; con `d_hidden`, la salida lleva una capa oculta."""

    n_letters: int = 16
    n_digits: int = 10
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
        self.letter = nn.Embedding(config.n_letters, width)
        self.digit = nn.Embedding(config.n_digits, width)
        self.asked = nn.ModuleList(nn.Embedding(config.n_letters, width) for _ in range(2))
        self.attention = MultiHeadAttention(width, config.n_heads, kernel=config.kernel)
        self.output = output_layer(width, config.d_hidden, 2 * config.n_digits)

    def forward(
        self, letters: Int[Tensor, "B N"], digits: Int[Tensor, "B N"], asked: Int[Tensor, "B 2"]
    ) -> Float[Tensor, "B 2 V"]:
        """Logits de la cifra de cada pregunta."""
        query, cards = self.read(letters, digits, asked)
        found = self.attention(query, cards, cards)
        return self.output(found[:, 0]).unflatten(-1, (2, -1))

    @torch.no_grad()
    def attention_maps(
        self, letters: Int[Tensor, "B N"], digits: Int[Tensor, "B N"], asked: Int[Tensor, "B 2"]
    ) -> list[Float[Tensor, "B H 1 N"]]:
        """A qué fichas mira cada cabeza, en su única capa."""
        return [self.attention.attention_maps(*self.read(letters, digits, asked))]

    def read(
        self, letters: Int[Tensor, "B N"], digits: Int[Tensor, "B N"], asked: Int[Tensor, "B 2"]
    ) -> tuple[Float[Tensor, "B 1 D"], Float[Tensor, "B N D"]]:
        """La consulta y las fichas, en vectores."""
        query = sum(table(asked[:, i]) for i, table in enumerate(self.asked))
        return query[:, None], self.letter(letters) + self.digit(digits)


def output_layer(d_model: int, d_hidden: int | None, n_outputs: int) -> nn.Module:
    """Capa de salida: lineal o, si se da `d_hidden`, con una capa oculta."""
    if d_hidden is None:
        return nn.Linear(d_model, n_outputs)
    return nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, n_outputs))
