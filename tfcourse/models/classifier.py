"""Clasificador: un codificador cualquiera y una sola capa encima."""

from collections.abc import Callable

from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.masks import padding_mask

Pool = Callable[[Tensor, Tensor], Tensor]


def first_state(states: Float[Tensor, "B L D"], lengths: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
    """El vector del primer token, que en BERT es [CLS]."""
    return states[:, 0]


def mean_state(states: Float[Tensor, "B L D"], lengths: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
    """La media de los vectores que no son relleno."""
    kept = padding_mask(lengths, states.shape[1])[:, 0, 0, :, None]
    return states.masked_fill(~kept, 0.0).sum(dim=1) / lengths[:, None].to(states.dtype)


class Classifier(nn.Module):
    """Clasificador: lee con `encoder`, reúne los vectores con `pool` y añade una capa.

    `encoder(x, lengths)` devuelve `(B, L, d_model)`; todos sus pesos se siguen entrenando.
    Fuente: Devlin et al. (2019), § 3.2 y figura 4b. Errores: `ValueError` si hay menos de dos
    clases.
    """

    def __init__(
        self,
        encoder: nn.Module,
        d_model: int,
        n_classes: int,
        *,
        pool: Pool = first_state,
        dropout: float = 0.1,
    ):
        super().__init__()
        if n_classes < 2:
            raise ValueError(f"n_classes={n_classes}: para clasificar hacen falta al menos dos")
        self.encoder, self.pool = encoder, pool
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(d_model, n_classes)
        nn.init.normal_(self.output.weight, std=0.02)
        nn.init.zeros_(self.output.bias)

    def forward(self, x: Tensor, lengths: Int[Tensor, "B"], **options) -> Float[Tensor, "B C"]:
        """Logits de cada clase; lo demás (p. ej., los segmentos) es para el codificador."""
        states = self.encoder(x, lengths, **options)
        return self.output(self.dropout(self.pool(states, lengths)))
