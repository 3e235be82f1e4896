"""Normalización: que cada vector llegue a la capa siguiente con el mismo tamaño."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """Normalización de capa: media 0 y varianza 1 en cada vector, y después escala y desplaza.

    y = γ (x − m) / √(v + ε) + β, con m y v la media y la varianza de las D componentes.
    Fuente: Ba, Kiros y Hinton (2016). Errores: `ValueError` si el último eje no mide `d_model`.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normaliza cada vector por separado: no mezcla posiciones ni ejemplos."""
        check_width(x, len(self.gain))
        centered = x - x.mean(dim=-1, keepdim=True)
        variance = centered.square().mean(dim=-1, keepdim=True)
        return self.gain * centered / (variance + self.eps).sqrt() + self.bias


class RMSNorm(nn.Module):
    """Normalización por la media cuadrática: cada vector queda con tamaño √D, sin centrarlo.

    y = γ x / √(media(x²) + ε). Fuente: Zhang y Sennrich (2019), ec. 4.
    Errores: `ValueError` si el último eje no mide `d_model`.
    """

    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Escala cada vector por separado: no mezcla posiciones ni ejemplos."""
        check_width(x, len(self.gain))
        return self.gain * x * (x.square().mean(dim=-1, keepdim=True) + self.eps).rsqrt()


def check_width(x: Tensor, width: int) -> None:
    """Error si los vectores no miden lo que espera la normalización."""
    if x.shape[-1] != width:
        raise ValueError(
            f"los vectores miden {x.shape[-1]} y esta normalización es de {width}: "
            "usa el mismo d_model en todo el modelo"
        )
