"""Búsqueda en haz: seguir a la vez varias frases empezadas."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.decoding.steps import Step


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
    device: torch.device | str | None = None,
) -> tuple[list[int], float]:
    """Búsqueda en haz: conserva en cada paso las `beam_size` frases empezadas más probables.

    Escribe **una** frase: `state` es el de un lote de uno y `select(state, rows)` devuelve el de
    esas filas. `device` es dónde lee `step`: el del modelo. Devuelve la frase, sin inicio ni fin, y
    su logaritmo de probabilidad por token.
    Errores: `ValueError` si el haz o la longitud no son positivos.
    """
    if beam_size < 1 or max_length < 1:
        raise ValueError(
            f"beam_size={beam_size} y max_length={max_length}: los dos deben ser positivos"
        )
    beams, scores, done = [[first]], torch.zeros(1), []
    for _ in range(max_length):
        last = torch.tensor([[beam[-1]] for beam in beams], device=device)
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
        state = select(state, torch.tensor(rows, device=device))
    unfinished = [(s / (len(b) - 1), b[1:]) for s, b in zip(scores.tolist(), beams, strict=True)]
    score, written = max(done or unfinished)
    return written, score
