"""Intervalos: contra SciPy, y contando."""

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t

from tfcourse.metrics.intervals import (
    mcnemar,
    mean_interval,
    paired_bootstrap,
    wilson_interval,
)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_scipy(pair):
    hits, n = pair
    theirs = binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson_interval(hits, n) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_wilson_at_the_edges():
    low, high = wilson_interval(10, 10)
    assert high == pytest.approx(1) and 0.6 < low < 0.8


def test_mean_interval_is_scipy():
    values = [0.61, 0.64, 0.66]
    mean, radius = mean_interval(values)
    deviation = (sum((v - mean) ** 2 for v in values) / 2) ** 0.5
    low, high = t.interval(0.95, 2, loc=mean, scale=deviation / 3**0.5)
    assert (mean - radius, mean + radius) == pytest.approx((low, high))


def test_mcnemar_by_counting():
    """Con cinco desacuerdos, 4 a 1: cuenta los 32 repartos igual de desiguales o más."""
    first = [True] * 4 + [False] + [True] * 9
    second = [False] * 4 + [True] + [True] * 9
    flips = list(itertools.product((0, 1), repeat=5))
    extreme = sum(abs(2 * sum(flip) - 5) >= 3 for flip in flips) / len(flips)
    assert mcnemar(first, second) == pytest.approx(extreme)
    assert mcnemar(first, second) == pytest.approx(binomtest(4, 5).pvalue)


def test_identical_models():
    assert mcnemar([True, False], [True, False]) == 1.0


def test_usage_errors():
    with pytest.raises(ValueError, match="entre 0 y n"):
        wilson_interval(5, 4)
    with pytest.raises(ValueError, match="menos de dos"):
        mean_interval([0.5])
    with pytest.raises(ValueError, match="mismos ejemplos"):
        mcnemar([True], [True, False])


def test_paired_bootstrap_is_close_to_its_normal_limit():
    """Con muchos ejemplos, la media de las restas ± 1,96 errores típicos."""
    random = Random(0)
    hard = [random.random() for _ in range(800)]
    first, second = ([random.random() * 0.4 + h < p for h in hard] for p in (0.9, 0.8))
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    mean = sum(gaps) / len(gaps)
    error = (sum((gap - mean) ** 2 for gap in gaps) / len(gaps)) ** 0.5 / len(gaps) ** 0.5
    found = paired_bootstrap(first, second, 4000)
    assert found == pytest.approx((mean, mean - 1.96 * error, mean + 1.96 * error), abs=2e-3)
    assert found == paired_bootstrap(first, second, 4000)


def test_what_is_hard_for_both_does_not_widen_the_paired_bootstrap():
    """Si uno saca siempre lo mismo al otro, el intervalo es un punto por dispares que sean."""
    second = [float(n % 7) for n in range(40)]
    assert paired_bootstrap([value + 0.5 for value in second], second) == (0.5, 0.5, 0.5)
    with pytest.raises(ValueError, match="mismos ejemplos, y al menos uno"):
        paired_bootstrap([1.0], [])
