"""Las medidas de coste dicen lo que cuestan las cosas."""

import time

import pytest
import torch

from tfcourse.costs import growth_exponent, peak_bytes, saved_bytes, training_seconds


def test_saved_bytes_counts_what_the_gradient_needs():
    x = torch.ones(1000, requires_grad=True)
    assert saved_bytes(lambda: x.exp()) == 4000  # la exponencial guarda su resultado
    assert saved_bytes(lambda: x + 1) == 0  # la suma no guarda nada
    assert saved_bytes(lambda: x.exp().exp()) == 8000


def test_saved_bytes_counts_a_shared_storage_once():
    x = torch.ones(1000, requires_grad=True)
    assert saved_bytes(lambda: x * x) == 4000


def test_slower_computations_take_longer():
    x = torch.ones(2, requires_grad=True)

    def slow():
        time.sleep(0.02)
        return x * 2

    seconds = training_seconds({"lento": slow, "rápido": lambda: x * 2}, repeats=3)
    assert seconds["lento"] > 0.02 > seconds["rápido"] > 0


def test_at_least_one_repeat():
    with pytest.raises(ValueError, match="repeats=0"):
        training_seconds({}, repeats=0)


def test_growth_exponent_recovers_a_power_law():
    sizes = [64, 128, 256]
    assert growth_exponent(sizes, [3 * n**2 for n in sizes]) == pytest.approx(2)
    assert growth_exponent(sizes, [5 * n for n in sizes]) == pytest.approx(1)


def test_peak_counts_what_lives_at_the_same_time():
    x = torch.ones(1000)
    assert peak_bytes(lambda: x.exp()) == 4000
    assert peak_bytes(lambda: x.exp().exp().exp()) == 8000  # cada una libera a la anterior
    assert peak_bytes(lambda: [x.exp(), x.exp(), x.exp()]) == 12000
    assert peak_bytes(lambda: x[:500].view(2, 250)) == 0  # una vista no reserva nada
    assert peak_bytes(lambda: x.add_(1)) == 0


def test_peak_includes_the_way_back():
    x = torch.ones(1000, requires_grad=True)
    forward = peak_bytes(lambda: x.exp().exp())
    assert peak_bytes(lambda: x.exp().exp().sum().backward()) > forward == 8000
