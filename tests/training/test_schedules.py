"""Ritmos: contra su fórmula escrita aparte y contra los de PyTorch cuando existen."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.training.schedules import (
    exponential_warmup,
    linear_decay,
    linear_warmup,
    noam,
    one_cycle,
    product,
    slanted_triangular,
    untuned_warmup,
)


def rates_of(scheduler_class, steps, **options):
    """Lo que hace un ritmo de PyTorch, paso a paso, con lr=1."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler = scheduler_class(optimizer, **options)
    found = []
    for _ in range(steps):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


def test_noam_is_the_formula_of_the_paper():
    rate = noam(512, 4000)
    for t in (1, 10, 3999, 4000, 4001, 100_000):
        expected = 512 ** (-0.5) * min(1 / math.sqrt(t), t / (4000 * math.sqrt(4000)))
        assert rate(t - 1) == pytest.approx(expected, rel=1e-12)


def test_noam_peaks_at_the_end_of_the_warmup():
    rates = [noam(64, 50)(step) for step in range(500)]
    assert max(rates) == rates[49] == pytest.approx((64 * 50) ** -0.5)


def test_linear_warmup_equals_torch():
    theirs = rates_of(torch.optim.lr_scheduler.LinearLR, 30, start_factor=1 / 10, total_iters=9)
    assert [linear_warmup(10)(step) for step in range(30)] == pytest.approx(theirs)


def test_linear_decay_equals_torch():
    options = {"start_factor": 1.0, "end_factor": 0.0, "total_iters": 20}
    theirs = rates_of(torch.optim.lr_scheduler.LinearLR, 20, **options)
    assert [linear_decay(20)(step) for step in range(20)] == pytest.approx(theirs)


def test_exponential_warmup_solves_its_equation():
    """ω es la solución de dω/dt = (1 − ω)/τ con ω(0) = 0: se integra paso a paso."""
    period, tiny, value = 7.0, 1e-4, 0.0
    for _ in range(round(5 / tiny)):
        value += tiny * (1 - value) / period
    assert exponential_warmup(period)(4) == pytest.approx(value, abs=1e-4)


@given(st.floats(0.5, 0.9999), st.integers(0, 5000))
def test_untuned_needs_only_beta(beta2, step):
    t = step + 1
    exponential, linear = untuned_warmup(beta2), untuned_warmup(beta2, "lineal")
    assert exponential(step) == pytest.approx(1 - math.exp(-(1 - beta2) * t), abs=1e-9)
    assert linear(step) == pytest.approx(min(1, (1 - beta2) / 2 * t))


def test_untuned_without_memory_has_the_shortest_warmup():
    """Con β₂ = 0, τ es 1 o 2: el segundo momento es el cuadrado del último gradiente."""
    assert untuned_warmup(0.0)(0) == pytest.approx(1 - math.exp(-1))
    assert [untuned_warmup(0.0, "lineal")(step) for step in range(3)] == [0.5, 1.0, 1.0]


def test_slanted_triangular_is_the_formula_of_the_paper():
    steps, fraction, ratio = 200, 0.1, 32
    cut = math.floor(steps * fraction)
    for t in range(steps):
        p = t / cut if t < cut else 1 - (t - cut) / (cut * (1 / fraction - 1))
        assert slanted_triangular(steps)(t) == pytest.approx((1 + p * (ratio - 1)) / ratio)


def test_the_shortest_and_the_flattest_triangle():
    assert [slanted_triangular(2, 0.5)(step) for step in range(3)] == [1 / 32, 1.0, 1 / 32]
    assert [slanted_triangular(10, ratio=1.0)(step) for step in range(11)] == [1.0] * 11


def test_the_shortest_cycle_still_rises_one_step():
    assert [one_cycle(3)(step) for step in range(4)] == pytest.approx([1.0, 1.0, 0.5, 0.0])
    assert [one_cycle(1)(step) for step in range(3)] == pytest.approx([1.0, 1.0, 0.0])


def test_the_shortest_warmups_and_decay():
    assert linear_warmup(0.5)(0) == linear_warmup(1)(0) == 1.0
    assert [linear_decay(1)(step) for step in range(3)] == [1.0, 0.0, 0.0]
    assert noam(1, 1)(0) == 1.0 and noam(1, 1)(3) == 0.5


@settings(deadline=None, max_examples=25)
@given(st.integers(10, 400), st.floats(0.11, 0.9))
def test_slanted_triangular_stays_between_its_bounds(steps, fraction):
    rates = [slanted_triangular(steps, fraction)(step) for step in range(steps + 5)]
    assert min(rates) >= 1 / 32 - 1e-12 and max(rates) == 1.0
    assert rates.index(1.0) == math.floor(steps * fraction)


@given(st.floats(1, 500), st.integers(0, 1000))
def test_warmups_rise_and_never_pass_one(period, step):
    for schedule in (linear_warmup(period), exponential_warmup(period)):
        assert 0 < schedule(step) <= schedule(step + 1) <= 1


def test_product_multiplies():
    assert product(linear_warmup(10), linear_decay(20))(4) == pytest.approx(0.5 * 0.8)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: noam(0, 4000), "d_model=0: tiene que ser un número positivo"),
        (lambda: noam(512, -1), "warmup=-1"),
        (lambda: linear_warmup(0), "period=0"),
        (lambda: exponential_warmup(-2), "period=-2"),
        (lambda: linear_decay(0), "steps=0"),
        (lambda: untuned_warmup(1.0), "beta2=1.0: tiene que estar entre 0 y 1"),
        (lambda: untuned_warmup(-0.1), "beta2=-0.1: tiene que estar entre 0 y 1"),
        (lambda: untuned_warmup(0.9, "cuadrado"), "usa «exponencial» o «lineal»"),
        (lambda: slanted_triangular(5), "hacen falta pasos para subir y para bajar"),
        (lambda: slanted_triangular(100, ratio=0.5), "un ratio de 1 o más"),
        (lambda: slanted_triangular(10, 1.0), "hacen falta pasos para subir y para bajar"),
    ],
)
def test_errors(build, message):
    with pytest.raises(ValueError, match=message):
        build()
