"""Atención dura: sortear una posición en lugar de mezclarlas todas, y aprender con REINFORCE."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def sample_positions(
    weights: Float[Tensor, "B Lk"], generator: torch.Generator | None = None
) -> Int[Tensor, "B"]:
    """Sortea una posición por fila, con los pesos como probabilidades.

    Errores: `ValueError` si alguna fila no es una distribución.
    """
    totals = weights.sum(dim=-1)
    if bool((weights < 0).any()) or not torch.allclose(totals, torch.ones_like(totals), atol=1e-4):
        raise ValueError(
            f"para sortear, cada fila debe ser una distribución, y hay sumas entre "
            f"{float(totals.min()):.3g} y {float(totals.max()):.3g}: usa p. ej. softmax"
        )
    return torch.multinomial(weights.detach(), 1, generator=generator)[:, 0]


def take_positions(
    values: Float[Tensor, "B Lk Dv"], positions: Int[Tensor, "B"]
) -> Float[Tensor, "B Dv"]:
    """El valor de la posición elegida, entero y sin mezclar."""
    return values[torch.arange(len(values), device=values.device), positions]


def reinforce_loss(
    weights: Float[Tensor, "B Lk"],
    positions: Int[Tensor, "B"],
    reward: Float[Tensor, "B"],
    baseline: Float[Tensor, ""] | float = 0.0,
) -> Float[Tensor, ""]:
    """Pérdida de REINFORCE: su gradiente es, en media, el de menos la recompensa esperada.

    −(R − b) ln p(posición sorteada). La recompensa no necesita ser derivable; la línea de base b
    no cambia la media del gradiente, y bien elegida reduce su varianza.
    Fuente: Williams (1992), teorema 1; en atención, Xu et al. (2015), § 4.1.
    """
    chosen = weights.gather(-1, positions[:, None])[:, 0]
    advantage = (reward - baseline).detach()
    return -(advantage * chosen.clamp(min=1e-12).log()).mean()


class RunningBaseline(nn.Module):
    """Línea de base móvil: b ← 0,9 b + 0,1 × recompensa media del lote.

    Fuente: Xu et al. (2015), § 4.1.
    """

    def __init__(self, decay: float = 0.9):
        super().__init__()
        self.decay = decay
        self.register_buffer("value", torch.zeros(()))

    @torch.no_grad()
    def update(self, reward: Float[Tensor, "B"]) -> None:
        """Incorpora la recompensa de un lote."""
        self.value.mul_(self.decay).add_((1 - self.decay) * reward.mean())
