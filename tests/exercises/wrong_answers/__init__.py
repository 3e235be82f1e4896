"""Respuestas equivocadas típicas, escritas como las escribiría quien empieza; un archivo por tema.

De cada una se dice qué diagnóstico debe recibir y un trozo de lo que debe leer. No comparten
código con los errores que simula el corrector: si los dos se equivocaran igual, no se vería.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Wrong:
    """Una respuesta equivocada y lo que se espera que se le diga."""

    key: str
    fragment: str
    answer: Callable


def collect(table: str = "WRONG") -> dict[str, tuple]:
    """Las de todos los temas, por el identificador del ejercicio.

    Con «EXAMPLES», los ejemplos de los enunciados: los argumentos y lo que se espera.
    """
    topics = [module.name for module in pkgutil.iter_modules(__path__)]
    modules = [importlib.import_module(f"{__name__}.{topic}") for topic in topics]
    return {name: row for module in modules for name, row in getattr(module, table, {}).items()}
