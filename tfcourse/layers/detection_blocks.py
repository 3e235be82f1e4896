"""Bloques de un detector: los del Transformer, con la posición sumada solo a consultas y claves."""

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.blocks import DecoderBlock, EncoderBlock


class ImageEncoderBlock(EncoderBlock):
    """Bloque del codificador que suma la posición a consultas y claves, y no a los valores.

    Fuente: Carion et al. (2020), apéndice A.3.
    """

    def forward(
        self, x: Float[Tensor, "B L D"], positions: Float[Tensor, "L D"]
    ) -> Float[Tensor, "B L D"]:
        """Cada casilla de la imagen consulta a todas."""
        x = self.around_attention(x, lambda y: self.attention(y + positions, y + positions, y))
        return self.around_feed_forward(x, self.feed_forward)


class QueryBlock(DecoderBlock):
    """Bloque de consultas que no tienen orden: se hablan todas con todas, sin máscara causal.

    La posición de cada una se suma a lo que pregunta y a lo que la hace encontrarse, y no a lo que
    da. Fuente: Carion et al. (2020), apéndice A.3.
    """

    def talk(
        self, x: Float[Tensor, "B N D"], query_positions: Float[Tensor, "*B N D"]
    ) -> Float[Tensor, "B N D"]:
        """Las consultas se hablan: cada objeto consulta a los demás."""
        return self.around_attention(
            x, lambda y: self.attention(y + query_positions, y + query_positions, y)
        )


class ObjectDecoderBlock(QueryBlock):
    """Bloque del decodificador: los objetos se hablan y luego miran la imagen.

    La posición de cada consulta se suma en las dos atenciones; la de la imagen, a las claves.
    Fuente: Carion et al. (2020), apéndice A.3.
    """

    def forward(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        query_positions: Float[Tensor, "*B N D"],
        positions: Float[Tensor, "L D"],
        bias: Float[Tensor, "B H N L"] | None = None,
    ) -> Float[Tensor, "B N D"]:
        """`bias` se suma a los puntajes con los que cada objeto mira la imagen."""
        x = self.talk(x, query_positions)
        x = self.around_cross_attention(
            x,
            lambda y: self.cross_attention(
                y + query_positions, memory + positions, memory, bias=bias
            ),
        )
        return self.around_feed_forward(x, self.feed_forward)

    def maps(
        self,
        x: Float[Tensor, "B N D"],
        memory: Float[Tensor, "B L D"],
        query_positions: Float[Tensor, "*B N D"],
        positions: Float[Tensor, "L D"],
        bias: Float[Tensor, "B H N L"] | None = None,
    ) -> Float[Tensor, "B H N L"]:
        """A qué casillas mira cada objeto, cabeza a cabeza."""
        x = self.talk(x, query_positions)
        seen = self.around_cross_attention.seen(x)
        return self.cross_attention.weights(seen + query_positions, memory + positions, bias=bias)


class BoxHead(nn.Sequential):
    """Cabeza de cajas: una red de tres capas que da cuatro números por objeto, sin acotar.

    Fuente: Carion et al. (2020), § 3.2.
    """

    def __init__(self, d_model: int):
        super().__init__(
            nn.Linear(d_model, d_model),
            nn.ReLU(),
            nn.Linear(d_model, d_model),
            nn.ReLU(),
            nn.Linear(d_model, 4),
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
