"""Atención rápida: las teselas dan lo que PyTorch; lo demás lo afirma su página."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/atencion_rapida.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_are_exact_up_to_rounding(chapter, seed):
    errors = chapter["largest_errors"](seed)
    report(seed, "; ".join(f"{name}, {error:.1e}" for name, error in errors.items()))
    in_half = errors.pop("bf16, contra 64 bits")
    assert max(errors.values()) < 5e-6 < in_half < 2**-8
