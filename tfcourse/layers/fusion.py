"""Piezas para juntar dos modalidades: dos secuencias entran y dos salen, mezcladas o no."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.masks import LOOKS


class ModalityEmbedding(nn.Module):
    """Suma a cada token dos vectores aprendidos: el de su lugar y el de su modalidad.

    Con `present`, los tokens de los ejemplos en los que la modalidad falta se cambian antes por un
    vector aprendido, el mismo para todos, que empieza en cero.
    Fuente: Devlin et al. (2019), § 3, con los segmentos; Kiela et al. (2019), § 3.
    """

    def __init__(self, length: int, d_model: int):
        super().__init__()
        self.places = nn.Parameter(0.02 * torch.randn(length, d_model))
        self.modality = nn.Parameter(0.02 * torch.randn(d_model))
        self.absent = nn.Parameter(torch.zeros(d_model))

    def forward(
        self, tokens: Float[Tensor, "B N D"], present: Tensor | None = None
    ) -> Float[Tensor, "B N D"]:
        """Los tokens, con su lugar y su modalidad. Errores: `ValueError` si sobran o faltan."""
        if tokens.shape[1] != len(self.places):
            raise ValueError(
                f"llegaron {tokens.shape[1]} tokens y esta modalidad tiene {len(self.places)} "
                "posiciones: revisa el tamaño de la entrada o crea el modelo con otra configuración"
            )
        if present is not None:
            tokens = torch.where(present[:, None, None], tokens, self.absent)
        return tokens + self.places + self.modality


class CrossBlock(EncoderBlock):
    """Bloque cruzado: pregunta una modalidad y contesta la otra.

    Los mismos pesos que un bloque del codificador; lo único que cambia es de quién salen las
    claves y los valores: de `memory` o, si no se da, del propio `x`, como siempre.
    Fuente: Lu et al. (2019), § 2.2 y figura 2; Tsai et al. (2019), ec. 3 y 4.
    """

    def forward(
        self,
        x: Float[Tensor, "B Lq D"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        memory: Float[Tensor, "B Lk D"] | None = None,
    ) -> Float[Tensor, "B Lq D"]:
        """Cada token de `x` consulta a todos los de `memory`, y a ninguno de los suyos."""
        answers = self.around_attention.seen(x if memory is None else memory)
        x = self.around_attention(x, lambda y: self.attention(y, answers, answers, mask=mask))
        return self.around_feed_forward(x, self.feed_forward)

    def attention_maps(
        self,
        x: Float[Tensor, "B Lq D"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        memory: Float[Tensor, "B Lk D"] | None = None,
    ) -> Float[Tensor, "B H Lq Lk"]:
        """Pesos de cada cabeza al preguntar `x` a `memory`."""
        answers = self.around_attention.seen(x if memory is None else memory)
        return self.attention.attention_maps(self.around_attention.seen(x), answers, mask=mask)


class FusionStage(nn.Module):
    """Una capa sobre dos secuencias: todos con todos, cada una consigo o cada una con la otra.

    `look` es un nombre de `LOOKS`. «todas» es un bloque sobre las dos concatenadas; «propia» y
    «otra» son dos bloques, uno por modalidad, que comparten pesos si `tied`.
    Errores: `ValueError` si el nombre no se conoce.
    """

    def __init__(self, look: str, tied: bool = False, **sizes):
        super().__init__()
        if look not in LOOKS:
            raise ValueError(f"look={look!r}: usa {', '.join(LOOKS)}")
        self.look = look
        make: Callable[..., EncoderBlock] = CrossBlock if look == "otra" else EncoderBlock
        first = make(**sizes)
        self.blocks = nn.ModuleList([first])
        if look != "todas":
            self.blocks.append(first if tied else make(**sizes))

    def forward(
        self, a: Float[Tensor, "B Na D"], b: Float[Tensor, "B Nb D"]
    ) -> tuple[Float[Tensor, "B Na D"], Float[Tensor, "B Nb D"]]:
        """Las dos secuencias después de mirar a quien pueden."""
        if self.look == "todas":
            joined = self.blocks[0](torch.cat([a, b], dim=1))
            return joined[:, : a.shape[1]], joined[:, a.shape[1] :]
        first, second = self.blocks
        if self.look == "propia":
            return first(a), second(b)
        return first(a, memory=b), second(b, memory=a)

    def attention_maps(
        self, a: Float[Tensor, "B Na D"], b: Float[Tensor, "B Nb D"]
    ) -> Float[Tensor, "B H L L"]:
        """Pesos entre todos los tokens, primero los de `a`; 0 donde no se puede mirar."""
        if self.look == "todas":
            return self.blocks[0].attention_maps(torch.cat([a, b], dim=1))
        first, second = self.blocks
        own = self.look == "propia"
        top = first.attention_maps(a) if own else first.attention_maps(a, memory=b)
        bottom = second.attention_maps(b) if own else second.attention_maps(b, memory=a)
        rows = [
            placed(top, a.shape[1], b.shape[1], left=own),
            placed(bottom, a.shape[1], b.shape[1], left=not own),
        ]
        return torch.cat(rows, dim=-2)


def placed(weights: Tensor, n_first: int, n_second: int, *, left: bool) -> Tensor:
    """Los pesos, en las columnas de la primera secuencia o en las de la segunda."""
    empty = weights.new_zeros(*weights.shape[:-1], n_second if left else n_first)
    return torch.cat([weights, empty] if left else [empty, weights], dim=-1)
