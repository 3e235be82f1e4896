"""Decodificación: de las probabilidades de cada paso a una secuencia."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.tokenizers.base import Tokenizer
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
    choose: Callable[[Float[Tensor, "B V"]], Int[Tensor, "B"]],
    max_length: int,
    stop_id: int | None = None,
) -> Int[Tensor, "B T"]:
    """Decodificación al azar: cada símbolo lo elige `choose` y se vuelve a leer.

    `step` es el de `greedy_decode`. Con `stop_id`, tras él una secuencia solo repite `stop_id`.
    Errores: `ValueError` si `max_length` no es positivo.
    """
    if max_length < 1:
        raise ValueError(f"max_length={max_length}: hace falta escribir al menos un símbolo")
    tokens, written = first[:, None], []
    finished = torch.zeros_like(first, dtype=torch.bool)
    for _ in range(max_length):
        logits, state = step(tokens, state)
        chosen = choose(logits)
        if stop_id is not None:
            chosen = chosen.masked_fill(finished, stop_id)
            finished = finished | (chosen == stop_id)
        written.append(chosen)
        if bool(finished.all()):
            break
        tokens = chosen[:, None]
    return torch.stack(written, dim=1)


def translate(
    model: nn.Module,
    source: Int[Tensor, "B Tx"],
    lengths: Int[Tensor, "B"],
    vocabulary: Vocabulary | Tokenizer,
    *,
    max_length: int,
) -> list[list[str]] | list[str]:
    """Escribe la salida de cada entrada con decodificación voraz.

    La devuelve en tokens si `vocabulary`, que es el de salida, es un vocabulario, y en texto si es
    un tokenizador. `model` ofrece `start(source, lengths)` y `step(tokens, state)`.
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
