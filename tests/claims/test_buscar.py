"""Lo que afirma la página «Buscar con significado», con otras semillas."""

from statistics import mean

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/buscar.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_training_finds_more_and_words_still_win(chapter, seed):
    before, after, _ = chapter["live_search"](seed)
    stored = chapter["by_query"]("BM25")
    report(seed, f"MRR {mean(before):.3f} → {mean(after):.3f}; BM25, {mean(stored):.3f}")
    assert len(before) == len(stored)
    assert mean(before) + 0.08 < mean(after) < mean(stored)
