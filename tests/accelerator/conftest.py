"""Lo que deja tras de sí cada prueba del acelerador: nada."""

import pytest
from accelerate.state import AcceleratorState

from tfcourse.training import loop

REAL = loop.default_accelerator


@pytest.fixture(autouse=True)
def forgotten():
    """`accelerate` guarda el dispositivo para todo el proceso: se olvida al acabar."""
    yield
    AcceleratorState._reset_state(reset_partial_state=True)
    REAL.cache_clear()
