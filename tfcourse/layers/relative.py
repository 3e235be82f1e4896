"""Posiciones relativas y memoria: la atención de Transformer-XL."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention import masked_softmax
from tfcourse.layers.masks import causal_mask
from tfcourse.layers.positions import sinusoidal_positions


def relative_shift(x: Float[Tensor, "*B Lq Lk"]) -> Float[Tensor, "*B Lq Lk"]:
    """Desplaza cada fila para pasar de «por distancia» a «por posición», sin bucles.

    Entra con la columna c hablando de la distancia Lk − 1 − c y sale con la columna j hablando de
    la clave j, si la consulta i está en la posición i + Lk − Lq. Lo que queda a la derecha del
    presente no significa nada: va tapado. Fuente: Dai et al. (2019), apéndice B.
    """
    n_queries, n_keys = x.shape[-2:]
    padded = torch.cat([x.new_zeros(*x.shape[:-1], 1), x], dim=-1)
    return padded.flatten(-2)[..., n_queries:].unflatten(-1, (n_queries, n_keys))


class RelativeAttention(nn.Module):
    """Atención causal con posiciones relativas y memoria.

    El puntaje de la consulta i con la clave j es (q + u)·k_j + (q + v)·r_{i−j}, entre √d: qué dice
    la clave y a qué distancia está. u y v se aprenden y r sale de senos y cosenos.
    Fuente: Dai et al. (2019), § 3.3. Errores: `ValueError` si `d_model` no es divisible entre
    `n_heads` o es impar.
    """

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(
                f"d_model={d_model} no es divisible entre n_heads={n_heads}: usa un múltiplo"
            )
        self.n_heads, d_head = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.distance_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.content_bias = nn.Parameter(torch.randn(n_heads, 1, d_head) * 0.02)
        self.distance_bias = nn.Parameter(torch.randn(n_heads, 1, d_head) * 0.02)

    def forward(
        self, x: Float[Tensor, "B Lq D"], memory: Float[Tensor, "B M D"] | None = None
    ) -> Float[Tensor, "B Lq D"]:
        """Cada posición mira a la memoria entera, a las anteriores del segmento y a sí misma."""
        context = x if memory is None else torch.cat([memory.detach(), x], dim=1)
        q, k, v = self.split(self.q_proj(x)), *map(self.split, self.read(context))
        by_content = (q + self.content_bias) @ k.mT
        by_distance = (q + self.distance_bias) @ self.distances(context).mT
        scores = (by_content + relative_shift(by_distance)) / math.sqrt(q.shape[-1])
        mask = causal_mask(x.shape[1], context.shape[1], device=x.device)
        mixed = masked_softmax(scores, mask) @ v
        return self.out_proj(mixed.transpose(1, 2).flatten(2))

    def read(self, context: Float[Tensor, "B L D"]) -> tuple[Tensor, Tensor]:
        """Claves y valores del contexto: la memoria se proyecta con los pesos de hoy."""
        return self.k_proj(context), self.v_proj(context)

    def distances(self, context: Float[Tensor, "B Lk D"]) -> Float[Tensor, "1 H Lk Dh"]:
        """Un vector por distancia, de Lk − 1 a 0."""
        table = sinusoidal_positions(context.shape[1], context.shape[2]).flip(0)
        return self.split(self.distance_proj(table[None].to(context)))

    def split(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B H L Dh"]:
        """Reparte la última dimensión entre las cabezas."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
