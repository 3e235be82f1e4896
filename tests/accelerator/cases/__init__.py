"""Los casos ligeros de cada estante: un módulo, o varios que empiezan por su nombre.

También los de un cuarto, que va con su ala: `text.assistant`.
"""

import importlib
import pkgutil

from tests.accelerator.light import Case

SHELVES = ("training", "decoding", "metrics", "losses", "models", "layers", "text.assistant")


def _modules(shelf: str) -> list:
    names = [found.name for found in pkgutil.iter_modules(__path__)]
    mine = [name for name in names if name.split("_")[0] == shelf.split(".")[-1]]
    return [importlib.import_module(f"{__name__}.{name}") for name in mine]


def cases(shelf: str) -> list[Case]:
    """Los casos de un estante."""
    return [case for module in _modules(shelf) for case in module.CASES]


def not_here(shelf: str) -> dict[str, str]:
    """Lo que no hace falta probar en un dispositivo, con su motivo."""
    return {
        name: reason
        for module in _modules(shelf)
        for reason, names in module.NOT_HERE.items()
        for name in names
    }
