"""Sentimiento por léxico: sumar lo que vale cada palabra y corregirlo con cuatro reglas.

Las reglas y las constantes son las de VADER (Hutto y Gilbert, 2014); las palabras se pasan.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from tfcourse.tokenizers.splitting import split_words_and_signs

# Hutto y Gilbert (2014), § 3.2 y su programa: lo que añade un intensificador, por cuánto multiplica
# una negación, cómo pierden fuerza con la distancia y cuánto pesa cada lado de un «pero».
BOOST, NEGATION, FADING = 0.293, -0.74, 0.05
YIELDS, RULES = 0.5, 1.5
NORMALIZER, THRESHOLD = 15.0, 0.05
CLAUSE_ENDS = (".", ",", ";", ":", "!", "?")


@dataclass(frozen=True)
class Scope:
    """Las palabras que cambian lo que valen otras, y hasta dónde llegan.

    `boosters` da el signo: +1 refuerza y −1 atenúa. `window` es cuántas palabras atrás se busca una
    negación o un intensificador, sin salir de la cláusula si `stops` es verdadero.
    """

    negators: Collection[str]
    boosters: Mapping[str, int]
    contrast: Collection[str] = ()
    concession: Collection[str] = ()
    window: int = 3
    stops: bool = True


class LexiconScorer:
    """Puntúa un texto con una lista de palabras y sus valencias, de −4 a 4.

    Errores: `ValueError` si la lista está vacía o la ventana no es positiva.
    """

    def __init__(
        self,
        valences: Mapping[str, float],
        scope: Scope,
        prepare: Callable[[str], str] = str.lower,
    ):
        if not valences or scope.window < 1:
            raise ValueError(
                f"{len(valences)} palabras y window={scope.window}: hace falta al menos una "
                "palabra con valencia y mirar una posición atrás"
            )
        self.scope, self.prepare = scope, prepare
        self.valences = {prepare(word): value for word, value in valences.items()}

    def words(self, text: str) -> list[str]:
        """Palabras y signos, escritos como los del léxico."""
        return split_words_and_signs(self.prepare(text))

    def contributions(self, text: str) -> list[tuple[str, float]]:
        """Lo que aporta cada palabra, con las reglas ya aplicadas."""
        words = self.words(text)
        values = [self._valence(words, place) for place in range(len(words))]
        weights = self._clause_weights(words)
        return list(zip(words, (v * w for v, w in zip(values, weights, strict=True)), strict=True))

    def score(self, text: str) -> float:
        """Puntuación entre −1 y 1: s / √(s² + 15), con s la suma de lo que aporta cada palabra."""
        total = sum(value for _, value in self.contributions(text))
        return total / math.sqrt(total**2 + NORMALIZER)

    def classify(self, texts: Sequence[str]) -> list[int]:
        """Clase de cada texto: 0 negativo, 1 neutro, 2 positivo."""
        scores = [self.score(text) for text in texts]
        return [1 + (score >= THRESHOLD) - (score <= -THRESHOLD) for score in scores]

    def _valence(self, words: list[str], place: int) -> float:
        """Valencia de una palabra, reforzada, atenuada o negada por las que la preceden."""
        value = self.valences.get(words[place], 0.0)
        if value == 0:
            return 0.0
        negated, boost = False, 0.0
        for distance in range(1, self.scope.window + 1):
            before = words[place - distance] if place >= distance else None
            if before is None or (self.scope.stops and before in self._walls()):
                break
            sign = self.scope.boosters.get(before, 0)
            boost += math.copysign(BOOST, value) * sign * (1 - FADING * (distance - 1))
            negated |= before in self.scope.negators
        # Dos negaciones seguidas («no es nada bueno») niegan una sola vez.
        return (value + boost) * (NEGATION if negated else 1)

    def _walls(self) -> set[str]:
        return {*CLAUSE_ENDS, *self.scope.contrast, *self.scope.concession}

    def _clause_weights(self, words: list[str]) -> list[float]:
        """Cuánto pesa cada posición: menos, lo que cede; más, lo que manda."""
        turns = [i for i, word in enumerate(words) if word in self.scope.contrast]
        if turns:
            return [YIELDS if i < turns[0] else RULES for i in range(len(words))]
        starts = [i for i, word in enumerate(words) if word in self.scope.concession]
        if not starts:
            return [1.0] * len(words)
        ends = [i for i, w in enumerate(words) if w in CLAUSE_ENDS and i > starts[0]] or [
            len(words)
        ]
        return [YIELDS if starts[0] <= i < ends[0] else RULES for i in range(len(words))]
