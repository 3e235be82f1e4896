"""Capítulo 7: el traductor acierta oraciones nuevas y combina parejas que no ha visto."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/07_transformer_completo.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_new_sentences_and_new_combinations_are_translated(chapter, seed):
    model, _ = chapter["train_translator"](seed)
    new, combined = (chapter["score"](model, chapter[name]) for name in ("test", "combined"))
    report("07", seed, f"oraciones nuevas {new:.1%}, parejas reservadas {combined:.1%}")
    assert new >= 0.97 and combined >= 0.95
