"""Atención local: mirar solo una ventana, colocada por el reloj o por una predicción."""

import torch
from jaxtyping import Bool, Float, Real
from torch import Tensor, nn

from tfcourse.layers.alignment.aligned import AlignedAttention
from tfcourse.layers.alignment.functions import Alignment
from tfcourse.layers.attention import masked_softmax
from tfcourse.layers.masks import combine_masks


def window_mask(
    centers: Real[Tensor, "B Lq"], n_keys: int, half_width: int
) -> Bool[Tensor, "B Lq Lk"]:
    """Máscara de ventana: cada consulta mira las claves a no más de `half_width` de su centro.

    Errores: `ValueError` si `half_width` es negativo.
    """
    if half_width < 0:
        raise ValueError(f"half_width={half_width}: la ventana necesita una anchura de 0 o más")
    positions = torch.arange(n_keys, device=centers.device)
    return (positions - centers[..., None]).abs() <= half_width


class MonotonicAttention(AlignedAttention):
    """Atención local monótona: en el paso t solo se mira de t − D a t + D.

    Supone que entrada y salida avanzan al mismo paso.
    Fuente: Luong, Pham y Manning (2015), § 3.2 («local-m»).
    """

    def __init__(self, alignment: Alignment, half_width: int):
        super().__init__(alignment)
        self.half_width = half_width

    def forward(
        self,
        q: Float[Tensor, "B Lq Dq"],
        keys: Float[Tensor, "B Lk Dp"],
        values: Float[Tensor, "B Lk Dv"],
        mask: Bool[Tensor, "#B #Lq Lk"] | None = None,
        position: int = 0,
    ) -> tuple[Float[Tensor, "B Lq Dv"], Float[Tensor, "B Lq Lk"]]:
        """El centro de la ventana es el propio paso, p_t = t."""
        steps = position + torch.arange(q.shape[1], device=q.device)
        window = window_mask(steps[None], keys.shape[1], self.half_width)
        return super().forward(q, keys, values, combine_masks(mask, window))


class PredictiveAttention(AlignedAttention):
    """Atención local predictiva: la consulta predice el centro de la ventana.

    p_t = S · σ(v_pᵀ tanh(W_p q)), con S la longitud de la entrada; los pesos de la ventana se
    multiplican por una gaussiana de desviación D/2 centrada en p_t, que es lo que deja pasar el
    gradiente hasta v_p y W_p.
    Fuente: Luong, Pham y Manning (2015), ec. 9 y 10 («local-p»).
    """

    def __init__(self, alignment: Alignment, half_width: int, d_query: int):
        super().__init__(alignment)
        self.half_width = half_width
        self.center_hidden = nn.Linear(d_query, d_query, bias=False)
        self.center_score = nn.Linear(d_query, 1, bias=False)

    def centers(
        self, q: Float[Tensor, "B Lq Dq"], lengths: Float[Tensor, "B #Lq"]
    ) -> Float[Tensor, "B Lq"]:
        """Centro de la ventana de cada consulta: un número real entre 0 y la longitud."""
        hidden = torch.tanh(self.center_hidden(q))
        return lengths * torch.sigmoid(self.center_score(hidden)[..., 0])

    def forward(
        self,
        q: Float[Tensor, "B Lq Dq"],
        keys: Float[Tensor, "B Lk Dp"],
        values: Float[Tensor, "B Lk Dv"],
        mask: Bool[Tensor, "#B #Lq Lk"] | None = None,
        position: int = 0,
    ) -> tuple[Float[Tensor, "B Lq Dv"], Float[Tensor, "B Lq Lk"]]:
        """Softmax dentro de la ventana, por la gaussiana; después ya no suman 1."""
        n_keys = keys.shape[1]
        visible = q.new_ones(len(q), 1, n_keys, dtype=torch.bool) if mask is None else mask
        centers = self.centers(q, visible.sum(dim=-1).to(q.dtype))
        window = window_mask(centers, n_keys, self.half_width)
        weights = masked_softmax(self.alignment(q, keys), combine_masks(visible, window))
        distance = torch.arange(n_keys, device=q.device) - centers[..., None]
        weights = weights * torch.exp(-distance.square() / (2 * (self.half_width / 2) ** 2))
        return weights @ values, weights
