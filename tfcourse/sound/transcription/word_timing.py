"""Cuándo se dijo cada palabra: de la atención cruzada a unos límites en segundos."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.mel import MelConfig
from tfcourse.audio.speech_mel import SPEECH_MEL, speech_mel
from tfcourse.datasets.sounds.spoken_phrases import Phrase
from tfcourse.datasets.sounds.synthesizer import WordTime
from tfcourse.models.whisper import Whisper
from tfcourse.tokenizers.speech import SpeechVocabulary


def time_warping(cost: Float[Tensor, "N T"]) -> list[tuple[int, int]]:
    """Alineamiento dinámico: el camino más barato de una esquina a la otra de una tabla de costes.

    De cada casilla se pasa al instante siguiente, a la palabra siguiente o a las dos cosas: nunca
    se retrocede. Devuelve las casillas (palabra, instante) del camino.
    Fuente: Sakoe y Chiba (1978). Errores: `ValueError` si la tabla está vacía.
    """
    if not cost.numel():
        raise ValueError(
            f"la tabla de costes tiene forma {tuple(cost.shape)}: no hay nada que unir"
        )
    n_words, n_times = cost.shape
    total = torch.full((n_words + 1, n_times + 1), torch.inf, dtype=torch.float64)
    total[0, 0] = 0
    for i in range(n_words):
        for j in range(n_times):
            before = torch.stack([total[i, j], total[i, j + 1], total[i + 1, j]]).min()
            total[i + 1, j + 1] = cost[i, j] + before
    path = [(n_words, n_times)]
    while path[-1] != (1, 1):
        i, j = path[-1]
        steps = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        path.append(min(steps, key=lambda place: float(total[place])))
    return [(i - 1, j - 1) for i, j in reversed(path)]


def word_centers(weights: Float[Tensor, "N T"], seconds_per_token: float) -> list[float]:
    """El instante medio al que mira cada palabra, ponderado por sus pesos, en segundos."""
    places = (torch.arange(weights.shape[1]) + 0.5) * seconds_per_token
    return ((weights * places).sum(dim=1) / weights.sum(dim=1)).tolist()


def word_starts(weights: Float[Tensor, "N T"], seconds_per_token: float) -> list[float]:
    """El instante en el que el camino más barato llega a cada palabra, en segundos.

    Es la receta de los autores: cada columna se normaliza, y el coste es el peso con signo menos.
    """
    z = (weights - weights.mean(dim=0)) / (weights.std(dim=0, correction=0) + 1e-8)
    starts: dict[int, int] = {}
    for word, place in time_warping(-z):
        starts.setdefault(word, place)
    return [starts[word] * seconds_per_token for word in sorted(starts)]


@torch.no_grad()
def attention_to_words(
    model: Whisper,
    phrase: Phrase,
    vocabulary: SpeechVocabulary,
    mel: MelConfig = SPEECH_MEL,
    heads: Sequence[tuple[int, int]] | None = None,
) -> Float[Tensor, "N T"]:
    """Pesos de cada palabra de la frase sobre los instantes: la media de las cabezas pedidas.

    `heads` son pares (capa, cabeza); sin ellas, todas. La fila de una palabra es la de quien la
    elige, el token anterior.
    """
    written = vocabulary.encode(phrase.labels)
    found = model.attention_maps(speech_mel(phrase.wave[None], mel), torch.tensor([written]))
    maps = torch.cat(found.cross)  # como hay una sola frase, (capas, cabezas, palabras, instantes)
    chosen = maps.flatten(0, 1) if heads is None else torch.stack([maps[i, j] for i, j in heads])
    first = len(vocabulary.prompt()) - 1
    return chosen.mean(dim=0)[first : first + len(phrase.labels)]


def even_centers(phrase: Phrase) -> list[float]:
    """La referencia: el centro de cada palabra si todas duraran lo mismo, sin pausas."""
    seconds, count = len(phrase.wave) / phrase.sample_rate, len(phrase.labels)
    return [(place + 0.5) * seconds / count for place in range(count)]


def true_centers(words: Sequence[WordTime]) -> list[float]:
    """El centro verdadero de cada palabra: lo sabe el sintetizador."""
    return [(word.start + word.end) / 2 for word in words]


def mean_distance(found: Sequence[Sequence[float]], true: Sequence[Sequence[float]]) -> float:
    """Distancia media, en segundos, entre unos instantes y los verdaderos."""
    gaps = [abs(a - b) for one, other in zip(found, true, strict=True)
            for a, b in zip(one, other, strict=True)]  # fmt: skip
    return sum(gaps) / len(gaps)
