"""Alineamientos por producto: todos comparan multiplicando, y se distinguen en lo que lo rodea.

Comparten la firma de `tfcourse.layers.alignment.functions`: `prepare_keys` una vez, y después
los puntajes.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.alignment.functions import Alignment, DotAlignment, GeneralAlignment


class CosineAlignment(DotAlignment):
    """Alineamiento por contenido: β cos(q, k), el ángulo entre consulta y clave.

    La nitidez β > 0 se aprende: el coseno no sale de [−1, 1], y con puntajes tan juntos el softmax
    apenas distingue. Fuente: Graves, Wayne y Danihelka (2014), ec. 5 y 6.
    """

    def __init__(self, sharpness: float = 10.0):
        super().__init__()
        self.log_sharpness = nn.Parameter(torch.tensor(math.log(sharpness)))

    def prepare_keys(self, k: Float[Tensor, "B Lk D"]) -> Float[Tensor, "B Lk D"]:
        """Claves de longitud 1."""
        return F.normalize(k, dim=-1)

    def forward(
        self, q: Float[Tensor, "B Lq D"], keys: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Producto de dos vectores de longitud 1: su coseno."""
        return self.log_sharpness.exp() * super().forward(F.normalize(q, dim=-1), keys)


class ScaledDotAlignment(DotAlignment):
    """Alineamiento por producto escalar escalado: qᵀk / √d_k.

    Fuente: Vaswani et al. (2017), ec. 1.
    """

    def forward(
        self, q: Float[Tensor, "B Lq D"], keys: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Divide entre √d_k para que el puntaje no crezca con la dimensión."""
        return super().forward(q, keys) / math.sqrt(q.shape[-1])


class BiasedGeneralAlignment(DotAlignment):
    """Alineamiento general con sesgo: kᵀ(W q + b).

    El sesgo da a cada clave un puntaje propio, kᵀb, pregunte quien pregunte.
    Fuente: Sordoni, Bachman, Trischler y Bengio (2016), ec. 1.
    """

    def __init__(self, d_query: int, d_key: int):
        super().__init__()
        self.query_proj = nn.Linear(d_query, d_key)

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dk"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Lleva la consulta al espacio de las claves y la compara con ellas."""
        return super().forward(self.query_proj(q), keys)


class ActivatedGeneralAlignment(GeneralAlignment):
    """Alineamiento general con activación: act(qᵀ W k + b), con un solo número como sesgo.

    Fuente: Ma, Li, Zhang y Wang (2017), ec. 5, con tangente hiperbólica.
    """

    def __init__(
        self, d_query: int, d_key: int, activation: Callable[[Tensor], Tensor] = torch.tanh
    ):
        super().__init__(d_query, d_key)
        self.bias = nn.Parameter(torch.zeros(()))
        self.activation = activation

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dp"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Con tanh, ningún puntaje sale de [−1, 1]: ningún peso llega a e² veces otro."""
        return self.activation(super().forward(q, keys) + self.bias)


class KernelAlignment(Alignment):
    """Alineamiento por núcleo: ln φ(q)ᵀφ(k), con φ positiva.

    φ(x)_j = exp(w_jᵀx − ‖x‖²/2)/√m, con m direcciones w_j al azar, de modo que φ(q)ᵀφ(k) es, en
    media, exp(qᵀk). El núcleo ya es positivo y en el artículo se normaliza dividiendo entre su
    suma; al dar su logaritmo, el softmax hace justo eso. `scale` multiplica antes a q y a k.
    Fuente: Choromanski et al. (2021), lema 1.
    """

    def __init__(self, d_key: int, n_features: int, scale: float = 1.0):
        super().__init__()
        self.scale = scale
        self.register_buffer("directions", torch.randn(n_features, d_key))

    def log_features(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L M"]:
        """ln φ(x): se trabaja con logaritmos para que ninguna exponencial desborde."""
        x = self.scale * x
        half_norm = 0.5 * x.square().sum(dim=-1, keepdim=True)
        return x @ self.directions.T - half_norm - 0.5 * math.log(len(self.directions))

    def prepare_keys(self, k: Float[Tensor, "B Lk D"]) -> Float[Tensor, "B Lk M"]:
        """ln φ(k), una vez por secuencia."""
        return self.log_features(k)

    def forward(
        self, q: Float[Tensor, "B Lq D"], keys: Float[Tensor, "B Lk M"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """ln Σ_j φ(q)_j φ(k)_j, restando antes los máximos para que nada desborde."""
        log_q = self.log_features(q)
        top_q, top_k = log_q.amax(dim=-1, keepdim=True), keys.amax(dim=-1, keepdim=True)
        kernel = (log_q - top_q).exp() @ (keys - top_k).exp().transpose(-2, -1)
        tiny = torch.finfo(kernel.dtype).tiny
        return kernel.clamp(min=tiny).log() + top_q + top_k.transpose(-2, -1)
