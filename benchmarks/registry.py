"""Qué tablas hay: cada módulo de `benchmarks` con `NAME`, `settings` y `measure` es una."""

import importlib
import pkgutil
from types import ModuleType

import benchmarks


def table_modules() -> dict[str, ModuleType]:
    """El módulo que mide cada tabla, por el nombre con que se guarda."""
    names = [info.name for info in pkgutil.iter_modules(benchmarks.__path__)]
    modules = [
        importlib.import_module(f"benchmarks.{name}") for name in names if name != "__main__"
    ]
    return {module.NAME: module for module in modules if hasattr(module, "measure")}


def table_module(name: str) -> ModuleType:
    """El módulo que mide una tabla. Errores: `ValueError` si no hay ninguna con ese nombre."""
    known = table_modules()
    if name not in known:
        raise ValueError(f"no hay ninguna tabla «{name}»: usa {', '.join(known)}")
    return known[name]
