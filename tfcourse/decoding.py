"""Decodificación: de las probabilidades de cada paso a una secuencia."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.tokenizers.vocabulary import Vocabulary

Step = Callable[[Int[Tensor, "B 1"], Any], tuple[Float[Tensor, "B V"], Any]]


@torch.no_grad()
def greedy_decode(
    step: Step, state: Any, first: Int[Tensor, "B"], *, stop_id: int, max_length: int
) -> Int[Tensor, "B T"]:
    """Decodificación voraz: en cada paso, el símbolo más probable, que se vuelve a leer.

    `step(tokens, state)` recibe el último símbolo de cada secuencia, `(B, 1)`, y devuelve los
    logits `(B, V)` y el estado nuevo. Tras `stop_id` una secuencia solo repite `stop_id`.
    Errores: `ValueError` si `max_length` no es positivo.
    """
    if max_length < 1:
        raise ValueError(f"max_length={max_length}: hace falta escribir al menos un símbolo")
    tokens, written = first[:, None], []
    finished = torch.zeros_like(first, dtype=torch.bool)
    for _ in range(max_length):
        logits, state = step(tokens, state)
        chosen = logits.argmax(dim=-1).masked_fill(finished, stop_id)
        written.append(chosen)
        finished = finished | (chosen == stop_id)
        if bool(finished.all()):
            break
        tokens = chosen[:, None]
    return torch.stack(written, dim=1)


@torch.no_grad()
def sample_decode(
    step: Step,
    state: Any,
    first: Int[Tensor, "B"],
    *,
    length: int,
    temperature: float = 1.0,
    generator: torch.Generator | None = None,
) -> Int[Tensor, "B T"]:
    """Decodificación al azar: cada símbolo se sortea con su probabilidad y se vuelve a leer.

    La temperatura divide los logits: por debajo de 1 se arriesga menos; por encima, más.
    `step` es el de `greedy_decode`.
    Errores: `ValueError` si `length` o `temperature` no son positivos.
    """
    if length < 1 or temperature <= 0:
        raise ValueError(
            f"length={length} y temperature={temperature}: los dos deben ser positivos (para "
            "elegir siempre el más probable está greedy_decode)"
        )
    tokens, written = first[:, None], []
    for _ in range(length):
        logits, state = step(tokens, state)
        probabilities = (logits / temperature).softmax(dim=-1)
        tokens = torch.multinomial(probabilities, 1, generator=generator)
        written.append(tokens)
    return torch.cat(written, dim=1)


def translate(
    model: nn.Module,
    source: Int[Tensor, "B Tx"],
    lengths: Int[Tensor, "B"],
    vocabulary: Vocabulary,
    *,
    max_length: int,
) -> list[list[str]]:
    """Escribe la salida de cada entrada con decodificación voraz y la devuelve en tokens.

    `model` ofrece `start(source, lengths)` y `step(tokens, state)`; `vocabulary` es el de salida.
    """
    device = next(model.parameters()).device
    source, lengths = source.to(device), lengths.to(device)
    first = torch.full_like(lengths, vocabulary.start_id)
    with torch.no_grad():
        state = model.start(source, lengths)
    written = greedy_decode(
        model.step, state, first, stop_id=vocabulary.stop_id, max_length=max_length
    )
    return [vocabulary.decode(row) for row in written.tolist()]
