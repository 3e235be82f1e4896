"""Modulación: un bloque cuya normalización y cuyos residuos gobierna una condición.

La condición es un vector por ejemplo, el instante y la clase. De él salen, en cada bloque, cuánto
se escala, cuánto se desplaza y cuánto pasa de cada subcapa.
"""

import math
from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.blocks import FeedForward

EPS = 1e-6
TIME_SCALE = 1000.0  # el instante va de 0 a 1, y las ondas se pensaron para contar pasos


def modulate(
    x: Float[Tensor, "B L D"], shift: Float[Tensor, "B D"], scale: Float[Tensor, "B D"]
) -> Float[Tensor, "B L D"]:
    """Modulación: normaliza cada token, sin parámetros propios, lo escala y lo desplaza.

    y = (1 + escala) · norma(x) + desplazamiento, con los mismos dos vectores en todos los tokens
    de un ejemplo. Fuente: Peebles y Xie (2023), § 3.2.
    """
    normed = F.layer_norm(x, x.shape[-1:], eps=EPS)
    return normed * (1 + scale[:, None]) + shift[:, None]


class AdaLNZeroBlock(nn.Module):
    """Bloque adaLN-Zero: autoatención y red por posición, moduladas por una condición.

    De la condición salen seis vectores: escala, desplazamiento y compuerta de cada subcapa. La
    capa que los da empieza en cero, así que el bloque empieza siendo la identidad.
    Fuente: Peebles y Xie (2023), § 3.2 y figura 3.
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_hidden, partial(nn.GELU, approximate="tanh"))
        self.modulation = zeroed(nn.Linear(d_model, 6 * d_model))

    def forward(
        self, x: Float[Tensor, "B L D"], condition: Float[Tensor, "B D"]
    ) -> Float[Tensor, "B L D"]:
        """Cada token mira a todos; `condition` dice cuánto y cómo cuenta cada subcapa."""
        shift, scale, gate, shift_2, scale_2, gate_2 = self.six(condition)
        y = modulate(x, shift, scale)
        x = x + gate[:, None] * self.attention(y, y, y)
        return x + gate_2[:, None] * self.feed_forward(modulate(x, shift_2, scale_2))

    def six(self, condition: Float[Tensor, "B D"]) -> tuple[Float[Tensor, "B D"], ...]:
        """Desplazamiento, escala y compuerta de la atención y, después, de la red por posición."""
        return self.modulation(F.silu(condition)).chunk(6, dim=-1)

    def attention_maps(
        self, x: Float[Tensor, "B L D"], condition: Float[Tensor, "B D"]
    ) -> Float[Tensor, "B H L L"]:
        """Pesos de cada cabeza al leer `x` con esa condición."""
        shift, scale, *_ = self.six(condition)
        y = modulate(x, shift, scale)
        return self.attention.attention_maps(y, y)


class ModulatedHead(nn.Module):
    """Última capa modulada: normaliza según la condición y proyecta cada token; empieza en cero.

    Fuente: Peebles y Xie (2023), § 3.2, «Transformer decoder».
    """

    def __init__(self, d_model: int, d_output: int):
        super().__init__()
        self.modulation = zeroed(nn.Linear(d_model, 2 * d_model))
        self.output = zeroed(nn.Linear(d_model, d_output))

    def forward(
        self, x: Float[Tensor, "B L D"], condition: Float[Tensor, "B D"]
    ) -> Float[Tensor, "B L P"]:
        """Un vector de `d_output` números por token."""
        shift, scale = self.modulation(F.silu(condition)).chunk(2, dim=-1)
        return self.output(modulate(x, shift, scale))


class TimeEmbedding(nn.Module):
    """Embedding del instante: ondas de varias frecuencias y una red de una capa oculta.

    El instante va de 0 a 1. Las ondas son las de las posiciones de Vaswani et al. (2017), con el
    instante por mil. Fuente: Peebles y Xie (2023), § 3.2.
    Errores: `ValueError` si `d_model` es impar.
    """

    def __init__(self, d_model: int):
        super().__init__()
        if d_model % 2:
            raise ValueError(f"d_model={d_model}: hace falta un número par, para senos y cosenos")
        self.d_model = d_model
        self.hidden = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(self, times: Float[Tensor, " B"]) -> Float[Tensor, "B D"]:
        """Un vector por instante."""
        return self.output(F.silu(self.hidden(time_waves(times, self.d_model))))


def time_waves(times: Float[Tensor, " B"], d_model: int) -> Float[Tensor, "B D"]:
    """Ondas de un instante entre 0 y 1: primero los cosenos y después los senos."""
    half = d_model // 2
    places = torch.arange(half, device=times.device, dtype=times.dtype)
    angles = TIME_SCALE * times[:, None] * torch.exp(-math.log(10_000) * places / half)
    return torch.cat([angles.cos(), angles.sin()], dim=-1)


def zeroed(layer: nn.Linear) -> nn.Linear:
    """La misma capa, con los pesos y el sesgo a cero."""
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer
