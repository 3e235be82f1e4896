"""Alineamientos que no son un producto: una red profunda, la posición y la vecindad.

Comparten la firma de `tfcourse.layers.alignment.functions`: `prepare_keys` una vez, y después
los puntajes.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.alignment.functions import Alignment, DotAlignment


class DeepAlignment(Alignment):
    """Alineamiento profundo: vᵀE⁽ᴸ⁻¹⁾ + b, una red de varias capas sobre cada pareja.

    E⁽¹⁾ = ReLU(W_0 k + W_1 q + b_1) y E⁽ˡ⁾ = ReLU(W_l E⁽ˡ⁻¹⁾ + b_l). Es el aditivo con más capas.
    Fuente: Pavlopoulos, Malakasiotis y Androutsopoulos (2017), § 3.3, que no usa consulta; la
    forma con consulta es la de Chaudhari et al. (2021).
    """

    def __init__(self, d_query: int, d_key: int, d_hidden: int, n_hidden_layers: int = 2):
        super().__init__()
        self.query_proj = nn.Linear(d_query, d_hidden, bias=False)
        self.key_proj = nn.Linear(d_key, d_hidden)
        self.hidden = nn.ModuleList(
            nn.Linear(d_hidden, d_hidden) for _ in range(n_hidden_layers - 1)
        )
        self.score_proj = nn.Linear(d_hidden, 1)

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dp"]:
        """W_0 k + b_1, una vez por secuencia."""
        return self.key_proj(k)

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dp"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """Cada pareja de consulta y clave atraviesa la red entera."""
        energy = F.relu(self.query_proj(q)[:, :, None] + keys[:, None])
        for layer in self.hidden:
            energy = F.relu(layer(energy))
        return self.score_proj(energy).squeeze(-1)


class LocationAlignment(Alignment):
    """Alineamiento por posición: el puntaje de la posición i es la componente i de W q.

    No mira las claves. Como W tiene una fila por posición, hay una longitud máxima; de una entrada
    más corta se usan las primeras componentes.
    Fuente: Luong, Pham y Manning (2015), ec. 8. Errores: `ValueError` si la entrada no cabe.
    """

    def __init__(self, d_query: int, max_length: int):
        super().__init__()
        self.position_proj = nn.Linear(d_query, max_length, bias=False)

    def forward(
        self, q: Float[Tensor, "B Lq Dq"], keys: Float[Tensor, "B Lk Dk"]
    ) -> Float[Tensor, "B Lq Lk"]:
        """De las claves solo se usa cuántas son."""
        length, max_length = keys.shape[1], self.position_proj.out_features
        if length > max_length:
            raise ValueError(
                f"la entrada mide {length} y este alineamiento solo tiene fila para {max_length} "
                f"posiciones: créalo con max_length={length} o mayor"
            )
        return self.position_proj(q)[..., :length]


class FeatureAlignment(DotAlignment):
    """Alineamiento por rasgos de la vecindad: vᵀ act(W_0 μ + W_1 σ + b), con v = W_dᵀ q.

    μ y σ son la media y la desviación típica de las claves que rodean a cada posición. Con ellas se
    compone la clave de la zona, W_d act(·), que se compara con la consulta por producto escalar.
    Fuente: Li, Kaiser, Bengio y Si (2019), § 3.1, con zonas de anchura fija (impar) centradas en
    cada posición; el relleno debe llegar a cero, como lo deja el codificador.
    Errores: `ValueError` si `width` no es impar y positivo.
    """

    def __init__(self, d_query: int, d_key: int, d_hidden: int, width: int = 3):
        super().__init__()
        if width < 1 or width % 2 == 0:
            raise ValueError(f"width={width}: usa un número impar, p. ej. 3, para centrar la zona")
        self.width = width
        self.mean_proj = nn.Linear(d_key, d_hidden)
        self.deviation_proj = nn.Linear(d_key, d_hidden, bias=False)
        self.area_proj = nn.Linear(d_hidden, d_query, bias=False)

    def prepare_keys(self, k: Float[Tensor, "B Lk Dk"]) -> Float[Tensor, "B Lk Dq"]:
        """Clave de cada zona, una vez por secuencia."""
        mean, square = self._average(k), self._average(k.square())
        deviation = (square - mean.square()).clamp(min=1e-6).sqrt()
        return self.area_proj(torch.relu(self.mean_proj(mean) + self.deviation_proj(deviation)))

    def _average(self, x: Tensor) -> Tensor:
        """Media de las posiciones que existen en la ventana centrada en cada una."""
        return F.avg_pool1d(
            x.transpose(1, 2), self.width, stride=1, padding=self.width // 2,
            count_include_pad=False,
        ).transpose(1, 2)  # fmt: skip
