"""Sesgo relativo por cubetas: un número por distancia que se suma a los puntajes."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def relative_bucket(
    offset: Int[Tensor, "*B"],
    *,
    bidirectional: bool = True,
    n_buckets: int = 32,
    max_distance: int = 128,
) -> Int[Tensor, "*B"]:
    """Cubeta de cada desplazamiento, clave − consulta: exacta cerca y cada vez más ancha lejos.

    La mitad de las cubetas de cada lado son distancias sueltas; las demás crecen como un logaritmo
    hasta `max_distance`, y la última reúne todo lo que queda. En las dos direcciones, la segunda
    mitad es para las claves que van detrás; en una sola, lo que va detrás cae en la cubeta 0.
    Fuente: Raffel et al. (2020), § 2.1, y el código de sus autores.
    Errores: `ValueError` si hay pocas cubetas o `max_distance` no pasa de las exactas.
    """
    per_side = n_buckets // 2 if bidirectional else n_buckets
    n_exact = per_side // 2
    if n_exact < 1 or max_distance <= n_exact or (bidirectional and n_buckets % 2):
        raise ValueError(
            f"n_buckets={n_buckets} y max_distance={max_distance} no encajan: hacen falta cubetas "
            "pares, al menos dos por lado, y una distancia máxima mayor que las exactas; p. ej. "
            "32 y 128"
        )
    side = (offset > 0).long() * per_side if bidirectional else torch.zeros_like(offset)
    distance = offset.abs() if bidirectional else (-offset).clamp(min=0)
    # Entre n_exact y max_distance, tantas cubetas como quedan, repartidas por igual en logaritmo.
    fraction = (distance.clamp(min=1).float() / n_exact).log() / math.log(max_distance / n_exact)
    far = n_exact + (fraction * (per_side - n_exact)).long()
    return side + torch.where(distance < n_exact, distance, far.clamp(max=per_side - 1))


class RelativeBias(nn.Module):
    """Sesgo relativo: cada cabeza aprende cuánto le interesa cada cubeta de distancias.

    Devuelve `(1, H, Lq, Lk)`, listo para el argumento `bias` de la atención. No depende de lo que
    digan los tokens, ni de la longitud. Fuente: Raffel et al. (2020), § 2.1.
    """

    def __init__(
        self,
        n_heads: int,
        *,
        bidirectional: bool = True,
        n_buckets: int = 32,
        max_distance: int = 128,
    ):
        super().__init__()
        self.bidirectional = bidirectional
        self.n_buckets, self.max_distance = n_buckets, max_distance
        self.table = nn.Embedding(n_buckets, n_heads)

    def forward(self, n_queries: int, n_keys: int | None = None) -> Float[Tensor, "1 H Lq Lk"]:
        """Sesgo de `n_queries` consultas; si hay más claves, las consultas son las últimas.

        Errores: `ValueError` si hay menos claves que consultas.
        """
        n_keys = n_queries if n_keys is None else n_keys
        if n_keys < n_queries:
            raise ValueError(
                f"n_keys={n_keys} es menor que n_queries={n_queries}: cada consulta ocupa el lugar "
                "de una clave"
            )
        keys = torch.arange(n_keys, device=self.table.weight.device)
        buckets = relative_bucket(
            keys[None] - keys[n_keys - n_queries :, None],
            bidirectional=self.bidirectional,
            n_buckets=self.n_buckets,
            max_distance=self.max_distance,
        )
        return self.table(buckets).permute(2, 0, 1)[None]
