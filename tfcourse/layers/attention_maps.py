"""A dónde mira: un solo nombre y una sola forma, en todas las piezas y en todos los modelos.

Quien mira lo cuenta con `attention_maps`. Recibe lo mismo que `forward`, menos los valores, que no
hacen falta, y vuelve a calcular los pesos: nadie los guarda. El mapa de una capa es
`(B, H, Lq, Lk)`, lo que cada consulta mira a cada clave, cabeza a cabeza; cada fila suma 1, o 0 si
no puede mirar a nadie.

Una pieza con una atención da su mapa; un bloque con dos, `BlockMaps`. Una pila de piezas, o un
modelo, da una lista con lo de cada capa, en orden. Un modelo que lee una cosa y escribe otra da
tres listas, `AttentionMaps`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn


class BlockMaps(NamedTuple):
    """Mapas de un bloque que escribe: a lo ya escrito y a lo que se ha leído."""

    own: Float[Tensor, "B H Lq Lq"]
    cross: Float[Tensor, "B H Lq Lk"]


class AttentionMaps(NamedTuple):
    """Mapas de un modelo que lee y escribe: uno por capa en cada una de las tres listas.

    `encoder`, de lo leído a lo leído; `decoder`, de lo escrito a lo escrito; `cross`, de lo escrito
    a lo leído.
    """

    encoder: list[Float[Tensor, "B H Lk Lk"]]
    decoder: list[Float[Tensor, "B H Lq Lq"]]
    cross: list[Float[Tensor, "B H Lq Lk"]]

    @classmethod
    def gather(cls, encoder: list[Tensor], writing: Sequence[BlockMaps]) -> "AttentionMaps":
        """Junta los mapas del que lee con los de cada bloque que escribe."""
        return cls(encoder, [maps.own for maps in writing], [maps.cross for maps in writing])


def maps_by_layer(blocks: Iterable[nn.Module], x: Float[Tensor, "B L D"], *seen, **options) -> list:
    """Mapas de una pila, bloque a bloque: cada uno mira lo que le deja el anterior.

    `seen` y `options` son lo demás que reciben los bloques, igual para todos.
    """
    maps = []
    for block in blocks:
        maps.append(block.attention_maps(x, *seen, **options))
        x = block(x, *seen, **options)
    return maps
