"""Red por posición con compuerta: una mitad decide cuánto pasa de la otra."""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor, nn


class GatedFeedForward(nn.Module):
    """Red por posición con compuerta (SwiGLU): `W_o (silu(W_g x) ⊙ W_h x)`, sin sesgos.

    Tiene tres matrices: con `d_hidden` = 8/3 · `d_model` gasta lo que una red sin compuerta de
    4 · `d_model`. Con la GELU en vez de la silu es GeGLU. Fuente: Shazeer (2020), ec. 5 y 6.
    """

    def __init__(self, d_model: int, d_hidden: int, activation: Callable[[], nn.Module] = nn.SiLU):
        super().__init__()
        self.gate = nn.Linear(d_model, d_hidden, bias=False)
        self.hidden = nn.Linear(d_model, d_hidden, bias=False)
        self.output = nn.Linear(d_hidden, d_model, bias=False)
        self.activation = activation()

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Transforma cada vector sin mirar a los demás."""
        return self.output(self.activation(self.gate(x)) * self.hidden(x))


def equal_cost_width(d_hidden: int, multiple: int = 8) -> int:
    """Anchura con compuerta que gasta lo que `d_hidden` sin ella: 2/3, a un múltiplo hacia arriba.

    Fuente: Touvron et al. (2023), § 2.2.
    """
    return -(-2 * d_hidden // (3 * multiple)) * multiple
