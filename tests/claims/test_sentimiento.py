"""Análisis de sentimiento: con pocas etiquetas gana el léxico; con muchas, quien lee en orden."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/sentimiento.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_with_few_labels_the_lexicon_wins(chapter, seed):
    found, reviews = chapter["small_data"](seed)
    scores = {name: chapter["total"](outcome, reviews) for name, outcome in found.items()}
    report(seed, "300: " + "; ".join(f"{name} {v:.1%}" for name, v in scores.items()))
    lexicon = scores.pop(chapter["LEXICON"])
    assert lexicon >= max(scores.values()) + 0.03


@pytest.mark.parametrize("seed", SEEDS)
def test_with_many_labels_reading_in_order_pays_where_it_should(chapter, seed):
    names = chapter["SVM"], chapter["CONVOLUTION"]
    found, reviews = chapter["large_data"](seed, names)
    bag, conv = (chapter["hits_by_slice"](reviews, found[name].guesses) for name in names)
    report(seed, "4800: " + "; ".join(
        f"{name} {row['accuracy']:.1%} (contraste {row['contraste']:.1%})"
        for name, row in zip(names, (bag, conv), strict=True)
    ))  # fmt: skip
    assert conv["accuracy"] >= bag["accuracy"] + 0.03
    assert conv["contraste"] >= bag["contraste"] + 0.10
