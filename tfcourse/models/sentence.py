"""Codificador de frases: un vector de longitud 1 por texto."""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.models.bert import Bert
from tfcourse.models.classifier import mean_state


class MeanEncoder(nn.Module):
    """Un BERT, la media de los vectores de sus tokens, y longitud 1.

    El parecido de dos textos es el producto de sus vectores, que es su coseno.
    Fuente: Reimers y Gurevych (2019), § 3.
    """

    def __init__(self, bert: Bert):
        super().__init__()
        self.bert = bert

    def forward(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
    ) -> Float[Tensor, "B D"]:
        """El vector de cada texto; el relleno no cuenta."""
        return F.normalize(mean_state(self.bert(tokens, lengths), lengths), dim=-1)
