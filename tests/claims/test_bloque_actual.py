"""El bloque de hoy: lo que se mide en la página, con otras semillas; lo demás lo afirma ella."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/bloque_actual.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_speculating_writes_what_the_target_would(chapter, seed):
    values = chapter["exactness"](seed)
    report(seed, "; ".join(f"p contra {name}, {value:.1e}" for name, value in values.items()))
    assert values["el grande"] > 1e-4 and values["el pequeño"] < 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_a_closer_draft_saves_more_passes(chapter, seed):
    saved = chapter["passes_saved"](seed, length=40, n_prompts=2)
    report(
        seed, "; ".join(f"{name}, {passes:.2f} por pasada" for name, (passes, _) in saved.items())
    )
    assert 1 <= saved["parejas"][0] < saved["él mismo, en 4 bits"][0] <= 4
