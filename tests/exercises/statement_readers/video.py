"""Lector del ejercicio de comprender sobre VideoBERT."""

import re
from itertools import product

from tests.exercises.statement_readers import amounts, enumerated, in_order, only, pieces


def visual_counts(statement):
    """Las palabras, escritas como caminos del árbol, y los tokens, parte a parte."""
    *tree, frames, tube, words, clips = amounts(
        r"en árbol de \*\*(\w+) pisos de (\w+) ramas\*\*\. Lee clips de \*\*(\d+) fotogramas\*\*, "
        r"en tubos de (\w+) que no se pisan, y frases de \*\*(\d+) palabras\*\*\. Se prueba "
        r"buscando, con cada frase, su clip entre \*\*(\d+)\*\*\.$",
        statement,
    )
    specials = only(r"tiene la fila con el clip y la frase, con (.+)\?$", statement)
    (first,) = amounts(r"sale el clip entre los \*\*(\w+)\*\* primeros\?$", statement)
    fixed = (tube, len(re.findall(r"\[\S+?\]", specials)), first)
    example = amounts(
        r"Por ejemplo, con (\w+) pisos de (\w+) ramas, clips de (\w+) fotogramas, frases de "
        r"(\w+) palabras y (\w+) clips serían `",
        statement,
    )
    assert enumerated(only("clips serían `(.+)`", statement)) == _counts(*example, *fixed)
    return in_order(statement, _counts(*tree, frames, words, clips, *fixed))


def _counts(floors, branches, frames, words, clips, tube, specials, first):
    """Palabras visuales, distancias, tokens y azar."""
    leaves = list(product(range(branches), repeat=floors))
    compared = list(product(range(floors), range(branches)))
    assert first <= clips
    tokens = specials + pieces(frames, tube) + words
    return [len(leaves), len(compared), tokens, first / clips]


READERS = {"contar-en-videobert": visual_counts}
