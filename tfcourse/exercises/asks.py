"""Qué pide cada ejercicio: calcular, escribir, deducir, encontrar un fallo, predecir o medir.

Se lee en su ficha y en su enunciado, que es donde lo lee quien lo hace.
"""

import re

from tfcourse.exercises.engine import Card

# Por orden: un fallo que hay que deducir es un fallo.
ASKS = {
    "mide": "un experimento abierto",
    "fallo": "encontrar y arreglar un fallo",
    "deduce": "una deducción que se comprueba",
    "predice": "apostar antes de calcular",
    "calcula": "una cuenta a mano",
    "escribe": "una función",
}
_WORDS = {
    "fallo": r"\bfallos?\b|se equivoca",
    "deduce": r"[Dd]educ|[Dd]educir|\b[Dd]eriva\b|[Dd]eríva|[Dd]emuestra",
    "predice": r"[Pp]redice|[Pp]redecir|[Aa]puesta|antes de (?:ejecutar|calcular|contar)",
}


def asked(card: Card, statement: str) -> str:
    """La clave de `ASKS` que le toca."""
    if card.kind == "abierto":
        return "mide"
    text = f"{card.title}\n{card.objective}\n{statement}"
    for kind, words in _WORDS.items():
        if re.search(words, text):
            return kind
    return "calcula" if card.kind == "comprender" else "escribe"
