"""Leer una escalera: las diferencias van semilla a semilla."""

import pytest

from tfcourse.vision.anchors.ladder import by_seed, paired

ROWS = [
    {"step": "a", "seed": 1, "AP": 0.5, "AP50": 0.9},
    {"step": "a", "seed": 0, "AP": 0.1, "AP50": 0.2},
    {"step": "b", "seed": 0, "AP": 0.4, "AP50": 0.3},
    {"step": "b", "seed": 1, "AP": 0.3, "AP50": 0.8},
    {"step": "b", "seed": 2, "AP": 0.9, "AP50": 0.9},
]


def test_differences_go_seed_by_seed():
    assert paired(ROWS, "a", "b") == pytest.approx([0.3, -0.2])
    assert paired(ROWS, "b", "a", "AP50") == pytest.approx([-0.1, 0.1])
    assert by_seed(ROWS, "b") == {0: 0.4, 1: 0.3, 2: 0.9}


def test_an_unknown_step_is_told():
    with pytest.raises(ValueError, match="«c» no está en la tabla: usa a, b"):
        paired(ROWS, "a", "c")
