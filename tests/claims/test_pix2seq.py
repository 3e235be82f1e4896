"""Pix2Seq: un decodificador aprende a escribir cajas en la página, con ojos que ya ven."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]

BAR = 0.88  # AP50


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/pix2seq.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_decoder_learns_to_write_in_the_page(chapter, seed):
    _, measured = chapter["train_live"](seed)
    blind = chapter["blind_score"]()
    row = f"AP {measured['AP']:.3f}, AP50 {measured['AP50']:.3f}"
    report(seed, f"{row} (sin mirar: {blind['AP']:.3f} y {blind['AP50']:.3f})")
    assert measured["AP50"] > BAR and measured["AP"] > 5 * blind["AP"]
