"""Atención por niveles: resumir palabras en oraciones y oraciones en documentos."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.attention import masked_softmax


class AttentivePooling(nn.Module):
    """Resumen con atención: una secuencia se queda en un vector, su media ponderada.

    u_i = tanh(W x_i + b) se compara con un vector aprendido u, que hace de consulta: «¿qué es lo
    informativo?». Fuente: Yang et al. (2016), ec. 5–7.
    """

    def __init__(
        self, d_model: int, d_hidden: int, distribution: Callable[..., Tensor] = masked_softmax
    ):
        super().__init__()
        self.key_proj = nn.Linear(d_model, d_hidden)
        self.query = nn.Parameter(torch.randn(d_hidden) / d_hidden**0.5)
        self.distribution = distribution

    def forward(
        self, x: Float[Tensor, "B L D"], mask: Bool[Tensor, "B L"] | None = None
    ) -> tuple[Float[Tensor, "B D"], Float[Tensor, "B L"]]:
        """Resumen y pesos; una secuencia sin nada que mirar se resume en ceros."""
        weights = self.distribution(torch.tanh(self.key_proj(x)) @ self.query, mask)
        return (weights[:, None] @ x)[:, 0], weights


class HierarchicalAttention(nn.Module):
    """Atención jerárquica: palabras → vector de cada oración → vector del documento.

    `word_level` y `sentence_level` resumen cada nivel, con la firma de `AttentivePooling`. Los
    lectores, si se dan, recorren antes cada secuencia (Yang usa una GRU bidireccional en los dos).
    Fuente: Yang et al. (2016), § 2.2.
    """

    def __init__(
        self,
        word_level: nn.Module,
        sentence_level: nn.Module,
        word_reader: nn.GRU | None = None,
        sentence_reader: nn.GRU | None = None,
    ):
        super().__init__()
        self.word_level, self.sentence_level = word_level, sentence_level
        self.word_reader, self.sentence_reader = word_reader, sentence_reader

    def forward(
        self, words: Float[Tensor, "B S W D"], mask: Bool[Tensor, "B S W"]
    ) -> tuple[Float[Tensor, "B Dd"], Float[Tensor, "B S W"], Float[Tensor, "B S"]]:
        """Vector del documento, pesos de las palabras en su oración y pesos de las oraciones.

        `mask` dice qué palabras existen; una oración existe si tiene alguna. El relleno va al
        final de cada oración y de cada documento.
        """
        flat_mask, exists = mask.flatten(0, 1), mask.any(dim=-1)
        states = read_sequences(self.word_reader, words.flatten(0, 1), flat_mask)
        sentences, word_weights = self.word_level(states, flat_mask)
        sentences = sentences.unflatten(0, mask.shape[:2])
        states = read_sequences(self.sentence_reader, sentences, exists)
        document, sentence_weights = self.sentence_level(states, exists)
        return document, word_weights.view_as(mask), sentence_weights


def read_sequences(
    reader: nn.GRU | None, x: Float[Tensor, "B L D"], mask: Bool[Tensor, "B L"]
) -> Float[Tensor, "B L H"]:
    """Lee con una red recurrente secuencias con relleno al final, alguna quizá vacía.

    Sin lector, las devuelve como llegan. Errores: `ValueError` si el relleno no va al final.
    """
    if bool((~mask[:, :-1] & mask[:, 1:]).any()):
        raise ValueError("hay relleno delante de un elemento: debe ir al final de la secuencia")
    if reader is None:
        return x
    lengths = mask.sum(dim=-1).clamp(min=1).cpu()
    packed = nn.utils.rnn.pack_padded_sequence(
        x.masked_fill(~mask[..., None], 0.0), lengths, batch_first=True, enforce_sorted=False
    )
    outputs, _ = reader(packed)
    return nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True, total_length=x.shape[1])[0]
