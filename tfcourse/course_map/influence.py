"""De qué tokens depende de verdad cada respuesta: se cambia uno y se mira cuáles se mueven."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Int
from torch import Tensor


@torch.no_grad()
def influence(
    respond: Callable[[Tensor], Tensor], tokens: Int[Tensor, "1 L"], n_tokens: int
) -> Bool[Tensor, "L L"]:
    """Mapa de influencia: en la fila t y la columna s, si lo que sale en t cambia al tocar s.

    `respond` da un vector por token, `(N, L, D)`. Se leen a la vez tantas copias como tokens hay;
    en cada una se cambia uno. Errores: `ValueError` si no sale un vector por token.
    """
    length = tokens.shape[1]
    copies = tokens.repeat(length, 1)
    copies.diagonal().add_(1).remainder_(n_tokens)
    answers = respond(torch.cat([tokens, copies]))
    if answers.ndim != 3 or answers.shape[:2] != (length + 1, length):
        raise ValueError(
            f"salieron vectores de forma {tuple(answers.shape)}: hace falta uno por token, "
            f"({length + 1}, {length}, D)"
        )
    change = (answers[1:] - answers[:1]).abs().amax(dim=-1)
    return (change > 1e-6 * answers.abs().max()).T
