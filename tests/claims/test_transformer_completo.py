"""Transformer completo: el traductor acierta oraciones nuevas y combina parejas que no ha visto."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/transformer_completo.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_new_sentences_and_new_combinations_are_translated(chapter, seed):
    model, _ = chapter["train_translator"](seed)
    new, combined = (chapter["score"](model, chapter[name]) for name in ("test", "combined"))
    report(
        seed,
        f"oraciones nuevas {new:.1%}, parejas reservadas {combined:.1%}",
    )
    assert new >= 0.97 and combined >= 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_real_names_with_known_words_are_composed(chapter, seed):
    model = chapter["train_on_real"](seed)
    known, strange = (
        chapter["quality"](chapter["write_real"](model, chapter[part]), chapter[part])
        for part in ("familiar", "strange")
    )
    report(
        seed,
        f"emojis: BLEU {known[1]:.1f}, chrF {known[2]:.1f}; nuevas, {strange[2]:.1f}",
    )
    assert known[1] >= 25 and known[2] >= 45 and strange[2] <= 25
