"""Medidas de calidad."""

import math
from collections.abc import Iterable, Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.windows import sliding_windows
from tfcourse.layers.recurrent.state import carry_state


def exact_match(predicted: Sequence, expected: Sequence) -> float:
    """Coincidencia exacta: la fracción de secuencias idénticas a la esperada.

    Errores: `ValueError` si no hay tantas predicciones como respuestas, o no hay ninguna.
    """
    if len(predicted) != len(expected) or not len(expected):
        raise ValueError(
            f"hay {len(predicted)} predicciones y {len(expected)} respuestas: deben ser tantas "
            "unas como otras, y al menos una"
        )
    return sum(a == b for a, b in zip(predicted, expected, strict=True)) / len(expected)


@torch.no_grad()
def masked_accuracy(model: nn.Module, masks: tuple, batch_size: int = 128) -> float:
    """Acierto en los huecos: en qué parte de las posiciones elegidas el más probable es el que era.

    `masks` es `(leído, lo que había, elegidas)`, sin relleno. Errores: `ValueError` si no hay
    ninguna posición elegida.
    """
    read, tokens, chosen = masks
    if not bool(chosen.any()):
        raise ValueError("no hay ningún hueco que adivinar: tapa algún token antes de medir")
    device, hits = next(model.parameters()).device, 0
    for rows in torch.arange(len(read)).split(batch_size):
        part, where = read[rows].to(device), chosen[rows].to(device)
        lengths = torch.full((len(part),), part.shape[1], device=device)
        guesses = model(part, lengths, where).argmax(dim=-1)
        hits += int((guesses == tokens[rows].to(device)[where]).sum())
    return hits / int(chosen.sum())


@torch.no_grad()
def masked_perplexity(model: nn.Module, masks: tuple, batch_size: int = 128) -> float:
    """Perplejidad en los huecos: entre cuántos tokens igual de probables duda el modelo, en media.

    Es la exponencial de la entropía cruzada media; `masks`, lo de `masked_accuracy`.
    Errores: `ValueError` si no hay ninguna posición elegida.
    """
    read, tokens, chosen = masks
    if not bool(chosen.any()):
        raise ValueError("no hay ningún hueco que adivinar: tapa algún token antes de medir")
    device, cost = next(model.parameters()).device, 0.0
    for rows in torch.arange(len(read)).split(batch_size):
        part, where = read[rows].to(device), chosen[rows].to(device)
        lengths = torch.full((len(part),), part.shape[1], device=device)
        logits, answers = model(part, lengths, where).float(), tokens[rows].to(device)[where]
        cost += float(F.cross_entropy(logits, answers, reduction="sum"))
    return math.exp(cost / int(chosen.sum()))


def attended_mass(weights: Float[Tensor, "*B Ty Tx"], region: Bool[Tensor, "*B Ty Tx"]) -> float:
    """Masa de atención dentro de una región, en media sobre las filas que tienen región.

    Errores: `ValueError` si la región está vacía en todas las filas.
    """
    rows = region.any(dim=-1)
    if not bool(rows.any()):
        raise ValueError("la región está vacía: no hay ninguna posición en la que medir la masa")
    return float((weights * region).sum(dim=-1)[rows].mean())


def bits_per_character(log_probabilities: Float[Tensor, "*N"]) -> float:
    """Bits por carácter: lo que cuesta, en media, escribir cada uno; menos es mejor.

    Recibe los logaritmos naturales de la probabilidad que el modelo dio a cada carácter del texto.
    Errores: `ValueError` si no hay ninguno.
    """
    if not log_probabilities.numel():
        raise ValueError("no hay ninguna probabilidad: hace falta al menos un carácter")
    return float(-log_probabilities.double().mean() / torch.log(torch.tensor(2.0)))


@torch.no_grad()
def text_log_probabilities(model: nn.Module, windows: Iterable[tuple]) -> Float[Tensor, "B M"]:
    """Logaritmo de la probabilidad de cada símbolo de un texto, leído por ventanas seguidas.

    `windows` da `(entradas, objetivos, recién_empezada)`; `model(entradas, estado)` devuelve los
    logits y el estado, que pasa de una ventana a la siguiente.
    """
    state, pieces = None, []
    for inputs, targets, fresh in windows:
        logits, state = model(inputs, carry_state(state, fresh))
        pieces.append(-F.cross_entropy(logits.transpose(1, 2), targets, reduction="none"))
    return torch.cat(pieces, dim=1)


@torch.no_grad()
def window_bits(
    model: nn.Module,
    ids: Int[Tensor, "N"],
    n_characters: int,
    *,
    length: int,
    stride: int | None = None,
    batch_size: int = 64,
) -> float:
    """Bits por carácter de un texto leído por ventanas, sea cual sea el tokenizador.

    Suma los bits de todos los tokens y divide entre los **caracteres** que escriben: solo así se
    comparan un vocabulario y otro. `n_characters` no cuenta los del primer token, que no se
    predice. Con `stride` menor que `length`, todo token tiene contexto delante.
    Errores: `ValueError` si no hay caracteres.
    """
    if n_characters < 1:
        raise ValueError(f"n_characters={n_characters}: hace falta al menos un carácter")
    windows = sliding_windows(ids, length=length, stride=stride or length // 2)
    total = torch.zeros((), dtype=torch.float64)
    for inputs, targets, counted in zip(*(t.split(batch_size) for t in windows), strict=True):
        logits = model(inputs).transpose(1, 2).float()
        costs = F.cross_entropy(logits, targets, reduction="none")
        total += costs[counted].double().sum().cpu()
    return float(total / math.log(2) / n_characters)
