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
        if x.shape[-1] != len(self.gain):
            raise ValueError(
                f"los vectores miden {x.shape[-1]} y esta normalización es de {len(self.gain)}: "
                "usa el mismo d_model en todo el modelo"
            )
        centered = x - x.mean(dim=-1, keepdim=True)
        variance = centered.square().mean(dim=-1, keepdim=True)
        return self.gain * centered / (variance + self.eps).sqrt() + self.bias
