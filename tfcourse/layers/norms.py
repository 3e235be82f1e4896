"""Normalización: que cada vector llegue a la capa siguiente con el mismo tamaño."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


def layer_norm(
    x: Float[Tensor, "*B D"], gain: Float[Tensor, " D"], bias: Float[Tensor, " D"], eps: float
) -> Float[Tensor, "*B D"]:
    """Normalización de capa: media 0 y varianza 1 en cada vector, y después escala y desplaza.

    y = γ (x − m) / √(v + ε) + β, con m y v la media y la varianza de las D componentes.
    Es la fórmula, para leerla; `LayerNorm` calcula lo mismo más deprisa.
    Fuente: Ba, Kiros y Hinton (2016).
    """
    centered = x - x.mean(dim=-1, keepdim=True)
    variance = centered.square().mean(dim=-1, keepdim=True)
    return gain * centered / (variance + eps).sqrt() + bias


class LayerNorm(nn.Module):
    """Capa que normaliza cada vector, con su escala y su desplazamiento: `layer_norm`.

    Las cuentas las hace el núcleo de PyTorch, que recorre la memoria una sola vez.
    Errores: `ValueError` si el último eje no mide `d_model`.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Normaliza cada vector por separado: no mezcla posiciones ni ejemplos."""
        check_width(x, len(self.gain))
        return F.layer_norm(x, self.gain.shape, self.gain, self.bias, self.eps)


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
