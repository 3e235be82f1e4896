"""Qué se tapa y con qué se confunde: tramos de una secuencia y distractores de cada posición."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor


def masked_spans(
    n_rows: int, length: int, share: float, span: int, generator: torch.Generator
) -> Bool[Tensor, "N L"]:
    """Posiciones tapadas: cada una empieza, con probabilidad `share`, un tramo de `span`.

    Los tramos pueden solaparse. A la fila a la que no le toque ninguno se le da uno, para que
    siempre haya qué adivinar.
    Fuente: Baevski et al. (2020), § 3.1. Errores: `ValueError` si el tramo no cabe.
    """
    if not 0 < share < 1 or not 2 <= span <= length:
        raise ValueError(
            f"share={share}, span={span} y length={length}: usa una fracción entre 0 y 1 y tramos "
            "de al menos dos posiciones que quepan en la secuencia, p. ej. 0.1 y 4"
        )
    last = length - span
    starts = torch.rand(n_rows, last + 1, generator=generator) < share
    spare = torch.randint(0, last + 1, (n_rows,), generator=generator)
    empty = ~starts.any(dim=1)
    starts[empty, spare[empty]] = True
    hidden = torch.zeros(n_rows, length, dtype=torch.bool)
    for offset in range(span):
        hidden[:, offset : offset + last + 1] |= starts
    return hidden


def sample_distractors(
    hidden: Bool[Tensor, "N L"], count: int, generator: torch.Generator
) -> Int[Tensor, "N L K"]:
    """Para cada posición tapada, `count` de las otras tapadas de su fila, al azar y con repetición.

    En las visibles, que no se usan, quedan ceros. Fuente: Baevski et al. (2020), § 3.2.
    Errores: `ValueError` si alguna fila tiene menos de dos posiciones tapadas.
    """
    totals = hidden.sum(dim=1)
    if (totals < 2).any():
        row = int((totals < 2).nonzero()[0])
        raise ValueError(
            f"la fila {row} tiene {int(totals[row])} posiciones tapadas: hacen falta al menos dos "
            "para que haya con qué confundirse"
        )
    found = torch.zeros(*hidden.shape, count, dtype=torch.long)
    for row, marks in enumerate(hidden):
        places = marks.nonzero()[:, 0]
        own = torch.arange(len(places))[:, None]
        other = torch.randint(0, len(places) - 1, (len(places), count), generator=generator)
        found[row, places] = places[other + (other >= own)]  # salta la propia
    return found
