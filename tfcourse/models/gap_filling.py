"""Qué palabra falta: un clasificador que lee solo antes del hueco, o a los dos lados."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.recurrent.state import orthogonal_recurrence_


class GapFiller(nn.Module):
    """Rellena huecos: una salida al final de la lectura.

    Con `d_after=0` es causal: solo lee lo que va antes del hueco. Si no, una segunda red lee lo
    que va después, de derecha a izquierda, y la salida ve los dos estados.
    """

    def __init__(
        self, n_tokens: int, n_words: int, *, d_embedding: int, d_before: int, d_after: int
    ):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.before = orthogonal_recurrence_(nn.RNN(d_embedding, d_before, batch_first=True))
        self.after = None
        if d_after:
            self.after = orthogonal_recurrence_(nn.RNN(d_embedding, d_after, batch_first=True))
        self.output = nn.Linear(d_before + d_after, n_words)

    def forward(
        self, left: Int[Tensor, "B Tl"], right: Int[Tensor, "B Tr"]
    ) -> Float[Tensor, "B V"]:
        """Logits de cada palabra posible."""
        summaries = [self.before(self.embedding(left))[1][0]]
        if self.after is not None:
            summaries.append(self.after(self.embedding(right.flip(1)))[1][0])
        return self.output(torch.cat(summaries, dim=-1))
