"""Muestras de las pruebas que repiten lo mismo con cada ejercicio: unas cuantas, cada día."""

from collections.abc import Iterable

import pytest

EVERY = 8


def sampled(names: Iterable[str]) -> list:
    """Todos los casos; de cada ocho, siete van con las lentas y uno se prueba también cada día."""
    return [
        pytest.param(name, marks=() if place % EVERY == 0 else pytest.mark.lento)
        for place, name in enumerate(names)
    ]
