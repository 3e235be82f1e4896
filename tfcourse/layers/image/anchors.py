"""Anclas: el sesgo que le dice a cada consulta qué parte de la imagen tiene delante."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.image.coordinate_waves import coordinate_waves

TEMPERATURE = 20.0  # Liu et al. (2022), apéndice: con 10 000 casi todas las ondas serían planas


def inverse_sigmoid(x: Float[Tensor, "*B"], eps: float = 1e-4) -> Float[Tensor, "*B"]:
    """La inversa de la sigmoide, log(x/(1 − x)), sin llegar a los infinitos de 0 y 1."""
    x = x.clamp(eps, 1 - eps)
    return (x / (1 - x)).log()


class SpatialBias(nn.Module):
    """Atención condicionada: un segundo producto escalar, solo entre posiciones.

    La consulta son las ondas del centro del ancla, multiplicadas por lo que pide su contenido; la
    clave, las ondas de cada casilla. Se suma a los puntajes del contenido.
    Fuente: Meng et al. (2021), § 3.3.
    """

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.scale = nn.Sequential(
            nn.Linear(d_model, d_model), nn.ReLU(), nn.Linear(d_model, d_model)
        )
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)

    def forward(
        self,
        x: Float[Tensor, "B N D"],
        anchors: Float[Tensor, "B N 4"],
        cells: Float[Tensor, "L 2"],
    ) -> Float[Tensor, "B H N L"]:
        """Cuánto le interesa a cada consulta cada casilla, por dónde está."""
        d_each = x.shape[-1] // 2
        q = self.q_proj(coordinate_waves(anchors[..., :2], d_each, TEMPERATURE) * self.scale(x))
        k = self.k_proj(coordinate_waves(cells, d_each, TEMPERATURE))
        q, k = (y.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for y in (q, k))
        return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


class GaussianBias(nn.Module):
    """Atención gaussiana: cada cabeza mira alrededor de un punto del ancla, tan lejos como mide.

    Suma −β ((x − cx)²/w² + (y − cy)²/h²) a los puntajes: tras el softmax, una campana que
    multiplica los pesos. Cada cabeza tiene su β y aprende a apartarse del centro.
    Fuente: Gao et al. (2021), § 3.2.
    """

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.offset = nn.Linear(d_model, 2 * n_heads)
        self.sharpness = nn.Parameter(torch.full((n_heads,), 1.0))
        nn.init.zeros_(self.offset.weight)
        nn.init.zeros_(self.offset.bias)

    def forward(
        self,
        x: Float[Tensor, "B N D"],
        anchors: Float[Tensor, "B N 4"],
        cells: Float[Tensor, "L 2"],
    ) -> Float[Tensor, "B H N L"]:
        """Cero en el centro de la mirada de cada cabeza y negativo según se aleja la casilla."""
        size = anchors[..., None, 2:].clamp(min=0.05)  # una caja diminuta no vería ni una casilla
        center = anchors[..., None, :2] + self.offset(x).unflatten(-1, (-1, 2)) * size
        away = (cells - center[..., None, :]) / size[..., None, :]
        bias = -F.softplus(self.sharpness)[:, None] * away.square().sum(-1)
        return bias.transpose(1, 2)
