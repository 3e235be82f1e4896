"""Riesgo: un codificador de historias y una salida encima."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.masks import padding_mask
from tfcourse.models.bert import Bert, bert_initialization


class RiskHead(nn.Module):
    """Un codificador de historias con una salida: el logit de que ocurra lo que se pregunta.

    Reúne los vectores de los tokens con su media y con su máximo (que dice si algo está, por corto
    que sea) y añade una capa. Med-BERT pone encima una red recurrente.
    """

    def __init__(self, bert: Bert, dropout: float = 0.1):
        super().__init__()
        self.bert = bert
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(2 * bert.config.d_model, 1)
        bert_initialization(self.output)

    def forward(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"], visits: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B"]:
        """El logit de cada historia."""
        return self.output(self.dropout(self.summary(tokens, lengths, visits)))[:, 0]

    def summary(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"], visits: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B E"]:
        """La media y el máximo de los vectores de la historia, sin el relleno."""
        states = self.bert(tokens, lengths, visits)
        outside = ~padding_mask(lengths, tokens.shape[1])[:, 0, 0, :, None]
        mean = states.masked_fill(outside, 0.0).sum(dim=1) / lengths[:, None]
        highest = states.masked_fill(outside, float("-inf")).amax(dim=1)
        return torch.cat([mean, highest], dim=1)
