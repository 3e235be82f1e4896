"""Quien resuelve un ejercicio de comprender leyendo solo su enunciado; un archivo por tema.

Cada lector saca las constantes del texto y hace la cuenta por su lado: no conoce el sorteo ni el
corrector. Si a una variante se le olvida cambiar algo en el enunciado, aquí se ve.
"""

import importlib
import itertools
import math
import pkgutil
import re
from collections.abc import Callable

NAMES = (
    *("cero", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"),
    *("once", "doce"),
)


def collect() -> dict[str, Callable[[str], object]]:
    """Los lectores de todos los temas, por el identificador del ejercicio."""
    topics = [module.name for module in pkgutil.iter_modules(__path__)]
    modules = [importlib.import_module(f"{__name__}.{topic}") for topic in topics]
    return {name: reader for module in modules for name, reader in module.READERS.items()}


def only(pattern: str, text: str):
    """Lo que captura el único hallazgo de un patrón; si no hay justo uno, el enunciado cambió."""
    found = re.findall(pattern, text, re.MULTILINE)
    assert len(found) == 1, (pattern, found)
    return found[0]


def value(text: str) -> float:
    """Un número como se escribe en el enunciado: `0{,}5`, `1,2`, `10 000`, `30\\,000` o `-3`."""
    return float(re.sub(r"\s|\\,", "", text).replace("{,}", ".").replace(",", "."))


def enumerated(text: str) -> list[float]:
    """Los números de una enumeración: `0,4, 0,25 y 10 000`, o con punto y coma, o `1/2`."""
    return [_quotient(item) for item in re.split("[,;] | y ", text)]


def _quotient(text: str) -> float:
    above, _, below = text.partition("/")
    return value(above) / value(below or "1")


def bullets(statement: str) -> list[str]:
    """Los nombres de lo que se pide, si va en una lista con guiones, en su orden."""
    heads = re.findall("^- (`.+?`):", statement, re.MULTILINE)
    return re.findall(r"`(\w+)`", " ".join(heads))


def count(word: str) -> int:
    """Cuántos dice una palabra, con mayúscula o sin ella: `tres`, `una`."""
    return NAMES.index(re.sub("^un[ao]$", "un", word.lower()))


def integers(text: str) -> list[int]:
    """Los enteros de una lista, una tupla o una enumeración, en su orden."""
    return [int(digits) for digits in re.findall(r"-?\d+", text)]


def amounts(pattern: str, text: str) -> list[int]:
    """Los números que captura el único hallazgo de un patrón, escritos con cifras o con letra."""
    found = only(pattern, text)
    words = (found,) if isinstance(found, str) else found
    return [int(word) if word.isdigit() else count(word) for word in words]


def tabled(text: str) -> dict[str, str]:
    """Las claves de la tabla de lo que se pide y qué es cada una, en su orden."""
    return dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.MULTILINE))


def asked_in_table(text: str) -> dict[str, str]:
    """Las claves del diccionario que se pide y qué es cada una; son las que dice el enunciado."""
    rows = tabled(text)
    assert len(rows) == count(only(r"Devuelve un diccionario con (\w+)", text))
    return rows


def pieces(side: int, piece: int) -> int:
    """Cuántas piezas hay a lo largo de un lado; caben justas."""
    assert side % piece == 0, (side, piece)
    return side // piece


def blocks(sides, block) -> int:
    """En cuántos bloques se corta algo de varios lados; caben justos."""
    return math.prod(itertools.starmap(pieces, zip(sides, block, strict=True)))


def named_integers(statement: str, values: list[int]) -> dict[str, int]:
    """La respuesta de los que piden enteros en una lista con guiones, tantos como se dice."""
    assert len(values) == count(only(r"Contesta con un diccionario de (\w+) enteros:$", statement))
    return dict(zip(bullets(statement), values, strict=True))


def in_order(statement: str, values: list) -> tuple:
    """Los números que se piden en una tupla, si son tantos como dice el enunciado."""
    points = re.findall(r"^(\d)\. ", statement, re.MULTILINE)
    assert [*map(int, points)] in ([], [*range(1, len(values) + 1)])
    assert len(values) == count(only(r"Devuelve los (\w+) números, en ese orden\.", statement))
    return tuple(values)
