"""Ventanas: cada posición mira a sus vecinas, y solo se calculan esos productos."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

from tfcourse.layers.kernels.partial import (
    Part,
    check_self_attention,
    key_mask,
    partial_attention,
)


def to_blocks(x: Shaped[Tensor, "B H L D"], block: int) -> Shaped[Tensor, "B H N b D"]:
    """Corta la secuencia en bloques seguidos; el último se completa con ceros."""
    padded = F.pad(x, (0, 0, 0, -x.shape[2] % block))
    return padded.unflatten(2, (-1, block))


def gather_neighbours(
    blocks: Shaped[Tensor, "B H N b D"], before: int, after: int
) -> Shaped[Tensor, "B H N K D"]:
    """Junta a cada bloque con los `before` anteriores y los `after` siguientes.

    Fuera de la secuencia hay ceros: quien llama debe taparlos.
    """
    padded = F.pad(blocks, (0, 0, 0, 0, before, after))
    windows = padded.unfold(2, before + 1 + after, 1)  # (B, H, N, b, D, bloques)
    return windows.permute(0, 1, 2, 5, 3, 4).flatten(3, 4)


def block_positions(
    length: int, block: int, before: int, after: int, device=None
) -> tuple[Int[Tensor, "N b 1"], Int[Tensor, "N 1 K"]]:
    """Posición en la secuencia de las consultas de cada bloque y de las claves que se le juntan."""
    starts = torch.arange(0, length, block, device=device)[:, None]
    queries = starts + torch.arange(block, device=device)
    keys = starts + torch.arange(-before * block, (after + 1) * block, device=device)
    return queries[:, :, None], keys[:, None, :]


def everyone(i: Tensor, j: Tensor) -> Tensor:
    """Patrón sin restricciones: la consulta i ve a la clave j, sea la que sea."""
    return j == j


def the_past(i: Tensor, j: Tensor) -> Tensor:
    """Patrón causal: la consulta i ve a la clave j si no es posterior."""
    return j <= i


def visible_in_blocks(
    keys: Int[Tensor, "N 1 K"],
    allowed: Bool[Tensor, "N #b K"],
    length: int,
    visible: Bool[Tensor, "#B #H L"] | None,
) -> Bool[Tensor, "..."]:
    """Une lo que permite el patrón, lo que cae dentro de la secuencia y lo que no es relleno."""
    allowed = allowed & (keys >= 0) & (keys < length)
    if visible is None:
        return allowed
    return allowed & visible[..., keys.clamp(0, length - 1)]


def block_attention(
    q: Float[Tensor, "B H L Dk"],
    k: Float[Tensor, "B H L Dk"],
    v: Float[Tensor, "B H L Dv"],
    allowed: Callable[[Tensor, Tensor], Tensor],
    *,
    block: int,
    reach: tuple[int, int] = (1, 1),
    visible: Bool[Tensor, "#B #H L"] | None = None,
) -> Part:
    """Atención de cada bloque a los de su alrededor: coste O(L · b), no O(L²).

    `allowed(i, j)` dice qué consultas ven qué claves según su posición; `reach`, cuántos bloques
    antes y después se juntan. Devuelve la mezcla y el logaritmo de su denominador.
    """
    length = q.shape[2]
    queries, keys = block_positions(length, block, *reach, device=q.device)
    mask = visible_in_blocks(keys, allowed(queries, keys), length, visible)
    near_k, near_v = (gather_neighbours(to_blocks(x, block), *reach) for x in (k, v))
    mixed, log_sums = partial_attention(to_blocks(q, block), near_k, near_v, mask=mask)
    return mixed.flatten(2, 3)[:, :, :length], log_sums.flatten(2, 3)[:, :, :length]


def interleave(x: Shaped[Tensor, "B H L D"], stride: int) -> Shaped[Tensor, "B Hs n D"]:
    """Separa la secuencia en `stride` subsecuencias: las posiciones 0, s, 2s…; 1, s + 1…

    Se apilan como si fueran más cabezas; las que se quedan cortas acaban en ceros.
    """
    return to_blocks(x, stride).transpose(2, 3).flatten(1, 2)


def deinterleave(x: Float[Tensor, "B Hs n D"], stride: int, length: int) -> Tensor:
    """Deshace `interleave` y quita los ceros añadidos."""
    return x.unflatten(1, (-1, stride)).transpose(2, 3).flatten(2, 3)[:, :, :length]


def interleave_mask(
    visible: Bool[Tensor, "#B #H L"] | None, like: Float[Tensor, "B H L D"], stride: int
) -> Bool[Tensor, "B Hs n"]:
    """La misma separación para la máscara: los ceros añadidos no se miran."""
    batch, heads, length = like.shape[:3]
    if visible is None:
        visible = torch.ones(1, 1, length, dtype=torch.bool, device=like.device)
    expanded = visible.expand(batch, heads, length)[..., None]
    return interleave(expanded, stride)[..., 0]


class BlockLocalAttention:
    """Atención local por bloques: cada bloque mira al suyo y al anterior.

    Todas las consultas de un bloque comparten memoria, que es lo que hace barata la cuenta.
    Fuente: Parmar et al. (2018), § 3.3, atención local de una dimensión. Errores: `ValueError` si
    `block` no es positivo.
    """

    def __init__(self, block: int, *, causal: bool = False):
        self.block, self.causal = check_positive("block", block), causal

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Mezcla los valores de los dos bloques; sin `causal`, también los del siguiente."""
        visible = key_mask(q, k, v, mask, bias)
        check_self_attention(q, k)
        allowed, reach = (the_past, (1, 0)) if self.causal else (everyone, (1, 1))
        block = min(self.block, q.shape[2])
        return block_attention(q, k, v, allowed, block=block, reach=reach, visible=visible)[0]


class LocalAttention:
    """Ventana deslizante: cada posición mira a las que están a `window` pasos o menos.

    Con `dilation` = r, los pasos son de r en r y la ventana llega r veces más lejos por el mismo
    precio; puede haber una por cabeza. Fuente: Beltagy et al. (2020), § 3.1. Errores: `ValueError`
    si la ventana o las dilataciones no son positivas, o no hay una por cabeza.
    """

    def __init__(self, window: int, *, dilation: int | tuple[int, ...] = 1, causal: bool = False):
        self.window, self.causal = check_positive("window", window), causal
        self.dilation = dilation if isinstance(dilation, tuple) else (dilation,)
        for step in self.dilation:
            check_positive("dilation", step)

    def __call__(self, q, k, v, *, mask=None, bias=None):
        """Mezcla los valores de la ventana de cada posición."""
        check_self_attention(q, k)
        return self.part(q, k, v, key_mask(q, k, v, mask, bias))[0]

    def part(self, q, k, v, visible=None) -> Part:
        """Mezcla y logaritmo del denominador, para juntarla con otras partes."""
        if len(self.dilation) == 1:
            return self._dilated(q, k, v, visible, self.dilation[0])
        if len(self.dilation) != q.shape[1]:
            raise ValueError(
                f"hay {len(self.dilation)} dilataciones y {q.shape[1]} cabezas: da una sola, o una "
                "por cabeza"
            )
        by_head = [
            self._dilated(*(x[:, h : h + 1] for x in (q, k, v)), _head(visible, h), step)
            for h, step in enumerate(self.dilation)
        ]
        return tuple(torch.cat(pieces, dim=1) for pieces in zip(*by_head, strict=True))

    def _dilated(self, q, k, v, visible, step) -> Part:
        if step == 1:
            return self._windowed(q, k, v, visible)
        length = q.shape[2]
        visible = interleave_mask(visible, q, step)
        mixed, logs = self._windowed(*(interleave(x, step) for x in (q, k, v)), visible)
        logs = deinterleave(logs[..., None], step, length)[..., 0]
        return deinterleave(mixed, step, length), logs

    def _windowed(self, q, k, v, visible) -> Part:
        def allowed(i, j):
            ahead = 0 if self.causal else self.window
            return (i - j <= self.window) & (j - i <= ahead)

        block = min(self.window, q.shape[2])
        reach = (1, 0 if self.causal else 1)
        return block_attention(q, k, v, allowed, block=block, reach=reach, visible=visible)


def _head(visible, head):
    if visible is None or visible.shape[1] == 1:
        return visible
    return visible[:, head : head + 1]


def check_positive(name: str, value: int) -> int:
    """Comprueba que un tamaño es al menos 1 y lo devuelve.

    Errores: `ValueError` si no lo es.
    """
    if value < 1:
        raise ValueError(f"{name}={value}: debe ser al menos 1")
    return value
