"""Lo que afirma la página «Buscar con significado», con otras semillas."""

from statistics import mean

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.text.search.recipe import OWN

FLAT = OWN["del curso, τ = 1"]
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


@pytest.mark.parametrize("seed", SEEDS)
def test_with_a_temperature_of_one_it_ends_below_where_it_started(chapter, seed):
    own = chapter["described"](chapter["pair_articles"]()["medir"])
    start, end = (
        mean(chapter["scored"](chapter["searcher"](model, FLAT)(own.queries), own.right)["MRR"])
        for model in (chapter["untrained"](FLAT, seed), chapter["train"](FLAT, seed).model)
    )
    report(seed, f"τ = 1: MRR {start:.3f} → {end:.3f}")
    assert end < start - 0.02
