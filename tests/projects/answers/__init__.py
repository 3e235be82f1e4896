"""Respuestas a los pasos de los proyectos: equivocadas, con su diagnóstico, y otras buenas.

Una equivocada se dice por lo que cambia en la solución: (clave, (antes, después), …). Una buena,
por su texto entero: otra manera de escribir la pieza.
"""

import importlib
import pkgutil


def collect(table: str) -> dict[str, tuple]:
    """Las de todos los proyectos, por paso."""
    modules = [
        importlib.import_module(f"{__name__}.{info.name}")
        for info in pkgutil.iter_modules(__path__)
    ]
    return {step: rows for module in modules for step, rows in getattr(module, table).items()}
