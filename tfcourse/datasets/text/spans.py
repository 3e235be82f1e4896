"""Corrupción de tramos: tapar trozos de un texto y pedir que se escriban."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from torch import Tensor

SHARE, MEAN_SPAN = 0.15, 3.0


def sentinel(number: int) -> str:
    """Nombre del centinela número `number`: un token especial que ocupa el lugar de un tramo."""
    return f"<hueco_{number}>"


def random_spans(
    length: int,
    generator: torch.Generator,
    share: float = SHARE,
    mean_span: float = MEAN_SPAN,
) -> Bool[Tensor, " L"]:
    """Qué posiciones se tapan: `share` de los tokens, en tramos de `mean_span` de media.

    Los tapados y los visibles se cortan en el mismo número de tramos al azar y se alternan,
    empezando por uno visible: dos tramos tapados no se tocan nunca.
    Fuente: Raffel et al. (2020), § 3.3.4, y el código de sus autores.
    Errores: `ValueError` si el texto es demasiado corto o los números no tienen sentido.
    """
    if not 0 < share < 1 or mean_span < 1:
        raise ValueError(
            f"share={share} y mean_span={mean_span}: usa una fracción entre 0 y 1 y tramos de al "
            "menos un token, p. ej. 0.15 y 3"
        )
    if length < 2:
        raise ValueError(f"length={length}: hacen falta dos tokens, uno visible y otro tapado")
    n_hidden = min(max(round(length * share), 1), length - 1)
    n_spans = min(max(round(n_hidden / mean_span), 1), length - n_hidden)
    hidden = random_cuts(n_hidden, n_spans, generator)
    visible = random_cuts(length - n_hidden, n_spans, generator)
    lengths = torch.stack([visible, hidden], dim=1).flatten()
    return (torch.arange(2 * n_spans) % 2 == 1).repeat_interleave(lengths)


def corrupt(
    tokens: Sequence[int], hidden: Bool[Tensor, " L"], sentinels: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Entrada y objetivo: cada tramo tapado se cambia por un centinela y se escribe tras él.

    El objetivo acaba con un centinela más, que dice que no hay otro tramo. No se añaden inicio ni
    fin. Fuente: Raffel et al. (2020), § 3.1.4 y figura 2.
    Errores: `ValueError` si faltan centinelas, hay alguno dentro del texto o las longitudes no
    coinciden.
    """
    marks = hidden.tolist()
    n_spans = sum(now and not before for before, now in zip([False, *marks], marks, strict=False))
    if len(tokens) != len(marks):
        raise ValueError(
            f"hay {len(tokens)} tokens y {len(marks)} marcas: hace falta una por token"
        )
    if n_spans + 1 > len(sentinels):
        raise ValueError(
            f"hay {n_spans} tramos y {len(sentinels)} centinelas: hace falta uno más que tramos"
        )
    if set(tokens) & set(sentinels):
        raise ValueError("el texto ya contiene un centinela: son números reservados")
    source, target, used = [], [], 0
    for position, (token, covered) in enumerate(zip(tokens, marks, strict=True)):
        if covered and (position == 0 or not marks[position - 1]):
            source.append(sentinels[used])
            target.append(sentinels[used])
            used += 1
        (target if covered else source).append(token)
    return source, [*target, sentinels[used]]


def restore(source: Sequence[int], target: Sequence[int], sentinels: Sequence[int]) -> list[int]:
    """El texto de partida: cada centinela de la entrada, cambiado por el tramo que le sigue.

    Lo que falte en `target`, como puede pasarle a un modelo, queda vacío; si repite un centinela,
    vale la primera vez.
    """
    known, spans, current = set(sentinels), {}, None
    for token in target:
        if token in known:
            current = None if token in spans else spans.setdefault(token, [])
        elif current is not None:
            current.append(token)
    text: list[int] = []
    for token in source:
        text += spans.get(token, []) if token in known else [token]
    return text


def random_cuts(total: int, n_parts: int, generator: torch.Generator) -> Tensor:
    """Reparte `total` en `n_parts` partes de al menos uno; todos los cortes valen lo mismo."""
    cuts = torch.randperm(total - 1, generator=generator)[: n_parts - 1].sort().values + 1
    edges = torch.cat([cuts.new_zeros(1), cuts, cuts.new_full((1,), total)])
    return edges.diff()
