"""Ventana con sumideros: mirar a lo último y, siempre, a unas pocas posiciones del principio."""

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.layers.kernels.partial import (
    check_self_attention,
    key_mask,
    merge_parts,
    partial_attention,
)
from tfcourse.layers.kernels.windows import LocalAttention, check_positive


class SinkAttention:
    """Ventana causal más las `n_sinks` primeras posiciones, que todas las siguientes ven.

    Fuente: Xiao et al. (2024), § 3.2, sin su manera de numerar las posiciones. Errores:
    `ValueError` si la ventana o los sumideros no son positivos.
    """

    def __init__(self, window: int, n_sinks: int = 4):
        self.near = LocalAttention(window, causal=True)
        self.n_sinks = check_positive("n_sinks", n_sinks)

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Junta la ventana y los sumideros que ya han quedado fuera de ella."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        place = torch.arange(q.shape[2], device=q.device)
        sinks = slice(0, self.n_sinks)
        outside = place[:, None] - place[sinks] > self.near.window
        if visible is not None:
            outside = outside & visible[:, :, None, sinks]
        far = partial_attention(q, k[:, :, sinks], v[:, :, sinks], mask=outside)
        return merge_parts(self.near.part(q, k, v, visible), far)[0]


class SinkCache:
    """Caché de una capa que no crece: los sumideros y las últimas `window` + 1 posiciones.

    Ocupa lo mismo se lean cien tokens o un millón. Se lee de token en token, y sirve como
    `tfcourse.layers.cache.LayerCache`. Fuente: Xiao et al. (2024), § 3.2. Errores: `ValueError` si
    llega más de un token a la vez o si los tamaños no son positivos.
    """

    def __init__(self, window: int, n_sinks: int = 4):
        self.window = check_positive("window", window)
        self.n_sinks, self.length = check_positive("n_sinks", n_sinks), 0
        self.keys: Tensor | None = None
        self.values: Tensor | None = None

    def extend(
        self, k: Float[Tensor, "B H L Dh"], v: Float[Tensor, "B H L Dv"]
    ) -> tuple[Float[Tensor, "B H N Dh"], Float[Tensor, "B H N Dv"]]:
        """Apunta un token, olvida el que se cae de la ventana y devuelve lo que queda."""
        if k.shape[-2] != 1:
            raise ValueError(f"llegan {k.shape[-2]} tokens: esta caché se llena de uno en uno")
        if self.keys is not None:
            k, v = torch.cat([self.keys, k], dim=-2), torch.cat([self.values, v], dim=-2)
        self.length += 1
        if k.shape[-2] > self.n_sinks + self.window + 1:
            k, v = (self._without_the_oldest(x) for x in (k, v))
        self.keys, self.values = k, v
        return k, v

    def _without_the_oldest(self, x: Tensor) -> Tensor:
        return torch.cat([x[..., : self.n_sinks, :], x[..., self.n_sinks + 1 :, :]], dim=-2)

    def nbytes(self) -> int:
        """Bytes que ocupa ahora."""
        return 0 if self.keys is None else self.keys.nbytes + self.values.nbytes


def learned_sink(
    mixed: Float[Tensor, "B H L Dv"],
    log_sums: Float[Tensor, "B H L"],
    logit: Float[Tensor, "H"],
) -> Float[Tensor, "B H L Dv"]:
    """Sumidero aprendido: una clave más por cabeza, con puntaje propio y valor cero.

    `mixed` y `log_sums` son una atención y el logaritmo de su denominador, como los da
    `partial_attention`. La consulta que no encuentra nada puede no mezclar nada.
    Fuente: Miller (2023); es la que lleva gpt-oss (OpenAI, 2025).
    """
    nothing = torch.zeros_like(mixed), logit[None, :, None].expand_as(log_sums)
    return merge_parts((mixed, log_sums), nothing)[0]
