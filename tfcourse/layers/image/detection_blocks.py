"""Bloques de un detector: los del Transformer, con la posición sumada solo a consultas y claves."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.attention_maps import BlockMaps
from tfcourse.layers.blocks import DecoderBlock, EncoderBlock


class ImageEncoderBlock(EncoderBlock):
    """Bloque del codificador que suma la posición a consultas y claves, y no a los valores.

    Fuente: Carion et al. (2020), apéndice A.3.
    """

    def forward(
        self,
        x: Float[Tensor, "B L D"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        positions: Float[Tensor, "L D"] | float = 0.0,
    ) -> Float[Tensor, "B L D"]:
        """Cada casilla de la imagen consulta a todas."""
        x = self.around_attention(
            x, lambda y: self.attention(y + positions, y + positions, y, mask=mask)
        )
        return self.around_feed_forward(x, self.feed_forward)

    def attention_maps(
        self,
        x: Float[Tensor, "B L D"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        positions: Float[Tensor, "L D"] | float = 0.0,
    ) -> Float[Tensor, "B H L L"]:
        """A qué casillas mira cada una, cabeza a cabeza."""
        y = self.around_attention.seen(x) + positions
        return self.attention.attention_maps(y, y, mask=mask)


class QueryBlock(DecoderBlock):
    """Bloque de consultas que no tienen orden: se hablan todas con todas y miran la imagen.

    La posición de cada una se suma a lo que pregunta y a lo que la hace encontrarse, y no a lo que
    da; la de la imagen, a las claves. Fuente: Carion et al. (2020), apéndice A.3.
    """

    def talk(
        self,
        x: Float[Tensor, "B N D"],
        query_positions: Float[Tensor, "*B N D"] | float,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "B N D"]:
        """Las consultas se hablan: cada objeto consulta a los demás."""
        return self.around_attention(
            x, lambda y: self.attention(y + query_positions, y + query_positions, y, mask=mask)
        )

    def look(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        query_positions: Float[Tensor, "*B N D"] | float,
        positions: Float[Tensor, "L D"] | float,
        **limits,
    ) -> Float[Tensor, "B N D"]:
        """Las consultas miran la imagen; `limits` son la máscara o el sesgo de esa atención."""

        def attend(y: Tensor) -> Tensor:
            asked, offered = self.compared(y, memory, query_positions, positions)
            return self.cross_attention(asked, offered, memory, **limits)

        return self.around_cross_attention(x, attend)

    def compared(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        query_positions: Float[Tensor, "*B N D"] | float,
        positions: Float[Tensor, "L D"] | float,
    ) -> tuple[Float[Tensor, "B N D"], Float[Tensor, "B L D"]]:
        """Lo que se compara al mirar la imagen: cada consulta y cada casilla, con su posición."""
        return x + query_positions, memory + positions


class ObjectDecoderBlock(QueryBlock):
    """Bloque del decodificador: los objetos se hablan y luego miran la imagen.

    La posición de cada consulta se suma en las dos atenciones; la de la imagen, a las claves.
    Fuente: Carion et al. (2020), apéndice A.3.
    """

    def forward(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        *,
        query_positions: Float[Tensor, "*B N D"] | float = 0.0,
        positions: Float[Tensor, "L D"] | float = 0.0,
        bias: Float[Tensor, "B H N L"] | None = None,
    ) -> Float[Tensor, "B N D"]:
        """`bias` se suma a los puntajes con los que cada objeto mira la imagen."""
        x = self.talk(x, query_positions, mask)
        x = self.look(x, memory, query_positions, positions, mask=memory_mask, bias=bias)
        return self.around_feed_forward(x, self.feed_forward)

    def attention_maps(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        *,
        query_positions: Float[Tensor, "*B N D"] | float = 0.0,
        positions: Float[Tensor, "L D"] | float = 0.0,
        bias: Float[Tensor, "B H N L"] | None = None,
    ) -> BlockMaps:
        """A qué objetos y a qué casillas mira cada objeto, cabeza a cabeza."""
        y = self.around_attention.seen(x) + query_positions
        own = self.attention.attention_maps(y, y, mask=mask)
        x = self.talk(x, query_positions, mask)
        y = self.around_cross_attention.seen(x)
        asked, offered = self.compared(y, memory, query_positions, positions)
        cross = self.cross_attention.attention_maps(asked, offered, mask=memory_mask, bias=bias)
        return BlockMaps(own, cross)


class SeparatedDecoderBlock(ObjectDecoderBlock):
    """Bloque del decodificador en el que, al mirar, el contenido solo se compara con el contenido.

    Las posiciones se comparan aparte, y su puntaje llega en `bias`: juntos son el producto de los
    vectores que resultan de pegar contenido y posición. Fuente: Meng et al. (2021), § 3.3.
    """

    def compared(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        query_positions: Float[Tensor, "*B N D"] | float,
        positions: Float[Tensor, "L D"] | float,
    ) -> tuple[Float[Tensor, "B N D"], Float[Tensor, "B L D"]]:
        """El contenido de cada consulta y el de cada casilla."""
        return x, memory


class QueryHead(nn.Sequential):
    """Cabeza de una consulta: una red de tres capas que le saca `n_outputs` números, sin acotar.

    Con cuatro, su caja (Carion et al., 2020, § 3.2); con tantos como describen un punto, el vector
    con el que se compara cada uno para dar su máscara (Cheng et al., 2021, § 3.3).
    """

    def __init__(self, d_model: int, n_outputs: int):
        super().__init__(
            nn.Linear(d_model, d_model),
            nn.ReLU(),
            nn.Linear(d_model, d_model),
            nn.ReLU(),
            nn.Linear(d_model, n_outputs),
        )


class ConvBackbone(nn.Sequential):
    """Red convolucional pequeña: de una imagen de lado S a una cuadrícula de lado S/8.

    Cada una de las tres primeras etapas parte por dos el lado y dobla los canales, desde `first`;
    las dos últimas dan un repaso. Normaliza por canal con todo el lote: así el brillo de una
    escena no depende de cuántos objetos tenga (Ioffe y Szegedy, 2015).
    """

    def __init__(self, d_model: int, first: int = 16):
        super().__init__(
            convolution(3, first, stride=2),
            convolution(first, 2 * first, stride=2),
            convolution(2 * first, 4 * first, stride=2),
            convolution(4 * first, 4 * first),
            convolution(4 * first, d_model),
        )


def convolution(before: int, after: int, stride: int = 1) -> nn.Sequential:
    """Convolución de 3 × 3, normalización y ReLU."""
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride=stride, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(),
    )
