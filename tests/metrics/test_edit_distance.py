"""La distancia de edición: la misma que por fuerza bruta, y una distancia de verdad."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.metrics.edit_distance import edit_distance, error_rate

words = st.text(alphabet="abc", max_size=7)


def by_recursion(a, b):
    @cache
    def left(i, j):
        if not i or not j:
            return i + j
        change = left(i - 1, j - 1) + (a[i - 1] != b[j - 1])
        return min(left(i - 1, j) + 1, left(i, j - 1) + 1, change)

    return left(len(a), len(b))


@given(words, words)
def test_the_same_as_by_recursion(a, b):
    assert edit_distance(a, b) == edit_distance(b, a) == by_recursion(a, b)


@given(words, words, words)
def test_the_triangle(a, b, c):
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)
    assert edit_distance(a, a) == 0


def test_rates_by_hand():
    assert edit_distance("lapises", "lápices") == 2
    assert error_rate(["casa", "xx"], ["cosa", ""]) == 3 / 4
    assert error_rate([["a", "b"]], [["a", "c"]]) == 0.5
    with pytest.raises(ValueError, match="hay 1 respuestas y 2 esperadas"):
        error_rate(["a"], ["a", "b"])
