"""Cuantizador por producto: cada vector se cambia por unas pocas entradas de unas tablas."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn


def gumbel_softmax(logits: Float[Tensor, "*B V"], temperature: float) -> Float[Tensor, "*B V"]:
    """Sorteo de una entrada que deja pasar el gradiente: un 1 en la elegida y ceros en las demás.

    A cada logit se le suma ruido de Gumbel, −log(−log u), y se elige el mayor; así cada entrada
    sale con su probabilidad softmax. Hacia atrás, como si fuera softmax((logits + ruido) / τ).
    Fuente: Jang et al. (2017), ec. 2 y § 2.2. Errores: `ValueError` si τ no es positiva.
    """
    if temperature <= 0:
        raise ValueError(f"temperature={temperature}: tiene que ser mayor que 0, p. ej. 2.0")
    noise = -torch.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / temperature).softmax(dim=-1)
    hard = F.one_hot(soft.argmax(dim=-1), soft.shape[-1]).to(soft.dtype)
    return hard - soft.detach() + soft


def perplexity(shares: Float[Tensor, "*B V"]) -> Float[Tensor, "*B"]:
    """Perplejidad de un reparto: la exponencial de su entropía, entre 1 y V.

    Es el número de entradas usadas por igual a las que equivale: V si todas, 1 si solo una.
    """
    return (-torch.xlogy(shares, shares).sum(dim=-1)).exp()


class ProductQuantizer(nn.Module):
    """Cuantizador por producto: elige una entrada de cada una de las G tablas y las concatena.

    Con G tablas de V entradas hay V^G códigos y solo G · V vectores que guardar. Al entrenar elige
    con `gumbel_softmax`; al evaluar, la de mayor logit.
    Fuente: Baevski et al. (2020), § 2, ec. 1. Errores: `ValueError` si `d_code` no se reparte.
    """

    def __init__(self, d_in: int, d_code: int, n_groups: int, n_codes: int):
        super().__init__()
        if d_code % n_groups:
            raise ValueError(
                f"d_code={d_code} no se reparte entre n_groups={n_groups} tablas: usa un múltiplo, "
                f"p. ej. d_code={(d_code // n_groups + 1) * n_groups}"
            )
        self.temperature = 2.0
        self.scores = nn.Linear(d_in, n_groups * n_codes)
        self.codebook = nn.Parameter(torch.rand(n_groups, n_codes, d_code // n_groups))
        nn.init.normal_(self.scores.weight)
        nn.init.zeros_(self.scores.bias)

    def logits(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L G V"]:
        """Puntaje de cada entrada de cada tabla."""
        return self.scores(x).unflatten(-1, self.codebook.shape[:2])

    def choose(self, logits: Float[Tensor, "B L G V"]) -> Float[Tensor, "B L G V"]:
        """Un 1 en la entrada elegida de cada tabla: al azar si se entrena; si no, la mayor."""
        if self.training:
            return gumbel_softmax(logits, self.temperature)
        return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)

    def forward(
        self, x: Float[Tensor, "B L D"], counted: Bool[Tensor, "B L"]
    ) -> tuple[Float[Tensor, "B L C"], Float[Tensor, " G"]]:
        """Los vectores cuantizados y la perplejidad de cada tabla en las posiciones `counted`.

        Al entrenar, la del reparto softmax medio, por la que pasa el gradiente; al evaluar, la de
        las entradas elegidas.
        """
        logits = self.logits(x)
        chosen = self.choose(logits)
        shares = logits.softmax(dim=-1) if self.training else chosen
        used = perplexity(shares[counted].mean(dim=0))
        return torch.einsum("blgv,gvc->blgc", chosen, self.codebook).flatten(2), used
