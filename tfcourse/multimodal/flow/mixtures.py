"""La velocidad exacta, con fórmula: la de una red perfecta que viera estos datos."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Mixture:
    """Mezcla de campanas gaussianas del mismo ancho: `centers` (K, …), `width` y sus pesos.

    Con ancho cero son datos sueltos, y entonces su velocidad exacta es la que hace mínima la
    pérdida con esos datos y ninguno más. Sin `shares`, todas pesan lo mismo.
    Errores: `ValueError` si el ancho es negativo o no hay un peso por centro.
    """

    centers: Float[Tensor, "K *S"]
    width: float = 0.0
    shares: Float[Tensor, " M"] | None = None

    def __post_init__(self):
        if self.width < 0:
            raise ValueError(f"width={self.width}: un ancho no puede ser negativo")
        if self.shares is not None and len(self.shares) != len(self.centers):
            raise ValueError(
                f"hay {len(self.shares)} pesos y {len(self.centers)} centros: da un peso por centro"
            )

    def logits(self, x: Float[Tensor, "B *S"], times: Float[Tensor, " B"]) -> Float[Tensor, "B K"]:
        """Logaritmo, salvo una constante, de cuánto cree el punto `x` que va a cada centro."""
        spread = (1 - times) ** 2 + (times * self.width) ** 2
        means = times[:, None, None] * self.centers.flatten(1)
        far = (x.flatten(1)[:, None] - means).square().sum(-1)
        logits = -far / (2 * spread[:, None])
        return logits if self.shares is None else logits + self.shares.log()

    def velocity(
        self, x: Float[Tensor, "B *S"], times: Float[Tensor, " B"]
    ) -> Float[Tensor, "B *S"]:
        """La velocidad marginal: media de las de cada centro, según lo que se cree en cada uno.

        Con ancho cero no está definida en el instante 1.
        """
        weights = self.logits(x, times).softmax(-1)
        column = times[:, None]
        spread = (1 - column) ** 2 + (column * self.width) ** 2
        pull = (column * self.width**2 - (1 - column)) / spread
        heading = weights @ self.centers.flatten(1)
        return (heading + pull * (x.flatten(1) - column * heading)).view_as(x)

    def sample(self, n_samples: int, generator: torch.Generator) -> Float[Tensor, "N *S"]:
        """Datos de la mezcla."""
        even = torch.ones(len(self.centers)) if self.shares is None else self.shares
        chosen = self.centers[torch.multinomial(even, n_samples, True, generator=generator)]
        return chosen + self.width * torch.randn(chosen.shape, generator=generator)
