"""Maneras de escribir: muestrear con temperatura y buscar en haz.

Complementan la decodificación voraz de `tfcourse.decoding`.
"""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.decoding import Step, greedy_decode


def temperature_sampler(
    temperature: float, generator: torch.Generator | None = None
) -> Callable[[Float[Tensor, "B V"]], Int[Tensor, "B"]]:
    """Elegir al azar según p^(1/τ): con τ < 1 se arriesga menos y con τ > 1, más.

    Fuente: Phuong y Hutter (2022), alg. 15. Errores: `ValueError` si la temperatura no es positiva.
    """
    if temperature <= 0:
        raise ValueError(
            f"temperature={temperature}: debe ser positiva; para elegir siempre el más probable "
            "usa la decodificación voraz"
        )

    def choose(logits):
        probabilities = (logits / temperature).softmax(dim=-1)
        return torch.multinomial(probabilities, 1, generator=generator)[:, 0]

    return choose


@torch.no_grad()
def sample_decode(
    step: Step,
    state: Any,
    first: Int[Tensor, "B"],
    *,
    stop_id: int,
    max_length: int,
    choose: Callable[[Float[Tensor, "B V"]], Int[Tensor, "B"]],
) -> Int[Tensor, "B T"]:
    """Decodificación al azar: como la voraz, pero cada símbolo lo elige `choose`.

    Es la decodificación voraz con los logits sustituidos por la elección ya hecha.
    """

    def decided(tokens, state):
        logits, state = step(tokens, state)
        return torch.nn.functional.one_hot(choose(logits), logits.shape[-1]), state

    return greedy_decode(decided, state, first, stop_id=stop_id, max_length=max_length)


@torch.no_grad()
def beam_search(
    step: Step,
    state: Any,
    select: Callable[[Any, Int[Tensor, "K"]], Any],
    *,
    first: int,
    stop_id: int,
    max_length: int,
    beam_size: int = 4,
) -> tuple[list[int], float]:
    """Búsqueda en haz: conserva en cada paso las `beam_size` frases empezadas más probables.

    Escribe **una** frase: `state` es el de un lote de uno y `select(state, rows)` devuelve el de
    esas filas. Devuelve la frase, sin inicio ni fin, y su logaritmo de probabilidad por token.
    Errores: `ValueError` si el haz o la longitud no son positivos.
    """
    if beam_size < 1 or max_length < 1:
        raise ValueError(
            f"beam_size={beam_size} y max_length={max_length}: los dos deben ser positivos"
        )
    beams, scores, done = [[first]], torch.zeros(1), []
    for _ in range(max_length):
        last = torch.tensor([[beam[-1]] for beam in beams])
        logits, state = step(last, state)
        totals = scores[:, None] + logits.cpu().log_softmax(dim=-1)
        best = totals.flatten().topk(min(2 * beam_size, totals.numel()))
        rows, kept, kept_scores = [], [], []
        ranked = zip(best.values.tolist(), best.indices.tolist(), strict=True)
        for rank, (score, place) in enumerate(ranked):
            row, token = divmod(place, totals.shape[1])
            if token == stop_id:
                if rank < beam_size:  # más abajo, acabar no está entre lo más probable
                    done.append((score / len(beams[row]), beams[row][1:]))
            elif len(kept) < beam_size:
                rows.append(row)
                kept.append([*beams[row], token])
                kept_scores.append(score)
        beams, scores = kept, torch.tensor(kept_scores)
        if len(done) >= beam_size:
            break
        state = select(state, torch.tensor(rows))
    unfinished = [(s / len(b), b[1:]) for s, b in zip(scores.tolist(), beams, strict=True)]
    score, written = max(done or unfinished)
    return written, score
