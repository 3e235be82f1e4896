"""Lo que afirma la página «Generar imágenes»."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/generar.ipynb")


# Por escribir: lo que de verdad afirma el capítulo, con la cota que dice su página.
@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_falls_to_half(chapter, seed):
    losses = chapter["losses"](seed)
    report("generar", seed, f"pérdida {losses[0]:.2f} → {losses[-1]:.2f}")
    assert losses[-1] < losses[0] / 2
