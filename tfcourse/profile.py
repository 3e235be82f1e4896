"""Perfil de ejecución: `rapido` (CPU, sin red, segundos) o `completo` (GPU, datos públicos)."""

import os
from typing import TypeVar

PROFILES = ("rapido", "completo")
PROFILE_VARIABLE = "TFCOURSE_PERFIL"
REHEARSAL_VARIABLE = "TFCOURSE_ENSAYO"

Value = TypeVar("Value")


def profile() -> str:
    """Perfil activo, leído de la variable de entorno `TFCOURSE_PERFIL` (por omisión, `rapido`).

    Errores: `ValueError` si la variable nombra un perfil desconocido.
    """
    name = os.environ.get(PROFILE_VARIABLE, "") or PROFILES[0]
    if name not in PROFILES:
        raise ValueError(
            f"perfil desconocido: {PROFILE_VARIABLE}={name!r}; "
            f"usa uno de estos: {', '.join(PROFILES)}"
        )
    return name


def by_profile(*, rapido: Value, completo: Value) -> Value:
    """Elige un valor según el perfil: el mismo código, dos tamaños."""
    return {"rapido": rapido, "completo": completo}[profile()]


def rehearsing() -> bool:
    """Si `completo` solo se ensaya: `TFCOURSE_ENSAYO=1` recorre su camino con datos diminutos."""
    return os.environ.get(REHEARSAL_VARIABLE) == "1"
