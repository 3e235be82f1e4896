"""Decodificación: de las probabilidades de cada paso a una secuencia."""

import math
from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.vocabulary import Vocabulary

Step = Callable[[Int[Tensor, "B 1"], Any], tuple[Float[Tensor, "B V"], Any]]


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

    `step(tokens, state)` recibe el último símbolo de cada secuencia, `(B, 1)`, y devuelve los
    logits `(B, V)` y el estado nuevo. Con `stop_id`, tras él una secuencia solo repite `stop_id`.
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


def greedy(logits: Float[Tensor, "B V"]) -> Int[Tensor, "B"]:
    """El token más probable de cada fila: el límite de la temperatura cuando tiende a cero."""
    return logits.argmax(dim=-1)


def greedy_decode(
    step: Step, state: Any, first: Int[Tensor, "B"], *, stop_id: int, max_length: int
) -> Int[Tensor, "B T"]:
    """Decodificación voraz: en cada paso, el símbolo más probable, que se vuelve a leer.

    `step` es el de `sample_decode`. Tras `stop_id` una secuencia solo repite `stop_id`.
    Errores: `ValueError` si `max_length` no es positivo.
    """
    return sample_decode(step, state, first, choose=greedy, max_length=max_length, stop_id=stop_id)


def keep_top_k(logits: Float[Tensor, "B V"], k: int) -> Float[Tensor, "B V"]:
    """Top-k: deja los k tokens más probables y da −∞ a los demás.

    Fuente: Fan, Lewis y Dauphin (2018), § 5.4. Errores: `ValueError` si `k` no es positivo.
    """
    if k < 1:
        raise ValueError(f"k={k}: hay que dejar al menos un token")
    best = logits.topk(min(k, logits.shape[-1]), dim=-1)
    return torch.full_like(logits, -torch.inf).scatter(-1, best.indices, best.values)


def keep_top_p(logits: Float[Tensor, "B V"], p: float) -> Float[Tensor, "B V"]:
    """Top-p o núcleo: los más probables, los justos para que sumen p; a los demás, −∞.

    Fuente: Holtzman et al. (2020), ec. 3. Errores: `ValueError` si `p` no está en (0, 1].
    """
    if not 0 < p <= 1:
        raise ValueError(f"p={p}: es una probabilidad, mayor que 0 y como mucho 1, p. ej. 0.9")
    ordered = logits.sort(dim=-1, descending=True)
    probabilities = ordered.values.softmax(dim=-1)
    reached = probabilities.cumsum(dim=-1) - probabilities  # lo que suman los anteriores
    trimmed = ordered.values.masked_fill(reached >= p, -torch.inf)
    return torch.empty_like(logits).scatter(-1, ordered.indices, trimmed)


def keep_min_p(logits: Float[Tensor, "B V"], p: float) -> Float[Tensor, "B V"]:
    """min-p: deja los que llegan a una parte p de la probabilidad del mejor; a los demás, −∞.

    Fuente: Nguyen et al. (2024), § 3. Errores: `ValueError` si `p` no está en (0, 1].
    """
    if not 0 < p <= 1:
        raise ValueError(f"p={p}: es una parte, mayor que 0 y como mucho 1, p. ej. 0.1")
    bar = logits.amax(dim=-1, keepdim=True) + math.log(p)
    return logits.masked_fill(logits < bar, -torch.inf)


def sampler(
    *,
    temperature: float = 1.0,
    k: int | None = None,
    p: float | None = None,
    generator: torch.Generator | None = None,
) -> Callable[[Float[Tensor, "B V"]], Int[Tensor, "B"]]:
    """Elegir al azar: primero la temperatura, luego top-k y luego top-p, los que se pidan."""
    temperature_sampler(temperature)  # comprueba que sea positiva
    draw = temperature_sampler(1.0, generator)

    def choose(logits):
        logits = logits / temperature
        if k is not None:
            logits = keep_top_k(logits, k)
        if p is not None:
            logits = keep_top_p(logits, p)
        return draw(logits)

    return choose


def rereading_step(model: nn.Module) -> Step:
    """Paso sin caché: vuelve a leer todo lo escrito para predecir un token más.

    El estado es lo escrito, `(B, L)`. Si no cabe en el modelo, solo ve lo último.
    """

    def step(tokens, written):
        written = torch.cat([written, tokens], dim=1)
        return model(written[:, -model.config.max_length :])[:, -1], written

    return step


@torch.no_grad()
def writing_layout(model: nn.Module) -> nn.Module:
    """Guarda las matrices del modelo por columnas, que en un procesador se leen antes al escribir.

    No cambia ningún número: con un solo token por paso casi todo el tiempo se va en leer los pesos,
    y un vector por una matriz se calcula más deprisa si se recorre en ese orden. Cambia `model` y
    lo devuelve.
    """
    for layer in model.modules():
        if isinstance(layer, (nn.Linear, nn.Embedding)):
            layer.weight.data = layer.weight.data.t().contiguous().t()
    return model


@torch.no_grad()
def continue_tokens(
    model: nn.Module,
    prompt: Int[Tensor, "B L"],
    *,
    max_length: int,
    choose: Callable[[Float[Tensor, "B V"]], Int[Tensor, "B"]] = greedy,
    cached: bool = True,
    stop_id: int | None = None,
) -> Int[Tensor, "B T"]:
    """Continúa una secuencia: lee el comienzo y escribe, uno a uno, los tokens que siguen.

    Con `cached`, `model` ofrece `start(prompt)` y `step(tokens, caché)`, y lo escrito tiene que
    caber en `max_length` posiciones del modelo; sin ella, vuelve a leerlo todo en cada paso.
    Fuente: Phuong y Hutter (2022), alg. 14. Errores: `ValueError` si el comienzo está vacío.
    """
    if not prompt.shape[1]:
        raise ValueError("el comienzo está vacío: hace falta al menos un token del que partir")
    before, last = prompt[:, :-1], prompt[:, -1]
    step, state = (model.step, model.start(before)) if cached else (rereading_step(model), before)
    return sample_decode(step, state, last, choose=choose, max_length=max_length, stop_id=stop_id)


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
