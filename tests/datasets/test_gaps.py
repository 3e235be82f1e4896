"""Huecos: salen del texto, no lo cambian y cada palabra tapada va entera."""

import pytest

from tfcourse.datasets.puzzles.gaps import COMMON_WORDS, word_gaps

TEXT = "\n".join(
    f"En el año {n} la ciudad de los ríos fue una de las más pobladas del país, como se ve."
    for n in range(100, 160)
)


def test_gap_and_its_sides_are_the_text():
    for gap in word_gaps(TEXT, 100, left=12, right=9):
        assert gap.left + gap.word + gap.right in TEXT
        assert (len(gap.left), len(gap.right)) == (12, 9)
        assert gap.word in COMMON_WORDS
        assert gap.left.endswith(" ") and gap.right[0] in " ,.;:"
        assert "\n" not in gap.left + gap.right


def test_longer_words_are_not_cut():
    gaps = word_gaps(TEXT, 300, left=5, right=5)
    assert {"del", "las", "los", "una"} <= {gap.word for gap in gaps}
    assert not [gap for gap in gaps if gap.right[0].isalpha()], "«a» no es un hueco de «año»"


def test_only_the_words_asked_for():
    gaps = word_gaps(TEXT, 20, left=5, right=5, words=("la", "una"))
    assert {gap.word for gap in gaps} == {"la", "una"}


def test_same_seed_same_gaps_without_repeats():
    options = {"left": 12, "right": 9}
    first = word_gaps(TEXT, 50, **options, seed=1)
    assert first == word_gaps(TEXT, 50, **options, seed=1) != word_gaps(TEXT, 50, **options, seed=2)


def test_too_many_gaps_are_refused():
    with pytest.raises(ValueError, match="pide menos, acorta los lados"):
        word_gaps(TEXT, 10_000, left=5, right=5)
