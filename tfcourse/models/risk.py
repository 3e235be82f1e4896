"""Riesgo: un codificador de historias y una salida encima."""

from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.models.bert import Bert, bert_initialization
from tfcourse.models.classifier import mean_state


class RiskHead(nn.Module):
    """Un codificador de historias con una salida: el logit de que ocurra lo que se pregunta.

    Reúne los vectores de los tokens con su media y añade una capa. Med-BERT pone encima una red
    recurrente.
    """

    def __init__(self, bert: Bert, dropout: float = 0.1):
        super().__init__()
        self.bert = bert
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(bert.config.d_model, 1)
        bert_initialization(self.output)

    def forward(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"], visits: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B"]:
        """El logit de cada historia."""
        return self.output(self.dropout(self.summary(tokens, lengths, visits)))[:, 0]

    def summary(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"], visits: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B D"]:
        """La media de los vectores de la historia, sin el relleno."""
        return mean_state(self.bert(tokens, lengths, visits), lengths)
