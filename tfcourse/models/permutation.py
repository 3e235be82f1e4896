"""Lenguaje por permutaciones: predecir cada token a partir de los de turno anterior."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.masks import permutation_mask
from tfcourse.models.bert import Bert, BertConfig, MaskedHead


class PermutationLM(nn.Module):
    """Modelo de permutaciones de XLNet, con sus dos corrientes y las posiciones de BERT.

    La corriente de contenido h sabe qué token hay en su posición; la de consulta g solo sabe qué
    posición es, y por eso puede predecirlo. Las dos pasan por los mismos bloques, y g pregunta a
    h. XLNet usa además posiciones relativas y memoria entre segmentos, que aquí no están.
    Fuente: Yang et al. (2019), § 2.3.
    """

    def __init__(self, config: BertConfig):
        super().__init__()
        self.bert = Bert(config)
        self.head = MaskedHead(config, self.bert.embedding.table)
        self.unknown = nn.Parameter(0.02 * torch.randn(config.embedding_width))

    def forward(
        self, tokens: Int[Tensor, "B L"], order: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B L V"]:
        """Logits de cada token, leídos los que le preceden en `order` (el turno de cada uno)."""
        content = self.bert.embedding(tokens)
        query = self.without_token(tokens)
        sees, asks = permutation_mask(order), permutation_mask(order, see_itself=False)
        for block in self.bert.layers():
            query = ask(block, query, content, asks)
            content = block(content, sees)
        return self.head(query)

    def without_token(self, tokens: Int[Tensor, "B L"]) -> Float[Tensor, "B L D"]:
        """La corriente de consulta al empezar: un vector aprendido y la posición."""
        embedding = self.bert.embedding
        blank = self.unknown.expand(*tokens.shape, -1)
        return embedding.widen(embedding.dropout(embedding.norm(embedding.positions(blank))))


def ask(block: nn.Module, query: Tensor, content: Tensor, mask: Tensor) -> Float[Tensor, "B L D"]:
    """Pasa la corriente de consulta por un bloque, con la de contenido como claves y valores."""
    query = block.around_attention(query, lambda q: block.attention(q, content, content, mask=mask))
    return block.around_feed_forward(query, block.feed_forward)
