"""Las medidas de coste dicen lo que cuestan las cosas."""

import time

import pytest
import torch

from tfcourse.metrics.time_and_memory import (
    growth_exponent,
    now,
    peak_bytes,
    saved_bytes,
    training_seconds,
)


def test_saved_bytes_counts_what_the_gradient_needs():
    x = torch.ones(1000, requires_grad=True)
    assert saved_bytes(lambda: x.exp()) == 4000  # la exponencial guarda su resultado
    assert saved_bytes(lambda: x + 1) == 0  # la suma no guarda nada
    assert saved_bytes(lambda: x.exp().exp()) == 8000


def test_saved_bytes_counts_a_shared_storage_once():
    x = torch.ones(1000, requires_grad=True)
    assert saved_bytes(lambda: x * x) == 4000


def test_seconds_are_the_best_of_each_computation(fake_clock):
    x = torch.ones(2, requires_grad=True)

    def taking(*durations):
        lasting = iter(durations)

        def run():
            fake_clock.advance(next(lasting))
            return x * 2

        return run

    computations = {"lento": taking(9.0, 3.0, 4.0), "rápido": taking(0.5, 7.0, 0.25)}
    seconds = training_seconds(computations, repeats=3)
    expected = {"lento": 3.0 + fake_clock.tick, "rápido": 0.25 + fake_clock.tick}
    assert seconds == pytest.approx(expected)
    assert x.grad.tolist() == [12.0, 12.0]  # seis idas y seis vueltas


def pretend_gpu(monkeypatch, **functions):
    """Hace creer que hay una GPU de NVIDIA, con esas funciones en `torch.cuda`."""
    functions = {"is_available": lambda: True, "synchronize": lambda: None} | functions
    for name, function in functions.items():
        monkeypatch.setattr(torch.cuda, name, function)


def test_the_clock_waits_for_the_gpu(monkeypatch):
    events = []
    pretend_gpu(monkeypatch, synchronize=lambda: events.append("espera"))
    monkeypatch.setattr(time, "perf_counter", lambda: events.append("mira") or 0.0)
    now()
    assert events == ["espera", "mira"]


def test_with_a_gpu_a_computation_of_the_processor_is_counted_there(monkeypatch):
    pretend_gpu(
        monkeypatch, reset_peak_memory_stats=lambda: None, memory_allocated=lambda: 100,
        max_memory_allocated=lambda: 1e9,
    )  # fmt: skip
    assert peak_bytes(lambda: torch.ones(1000).exp()) == 8000


@pytest.mark.skipif(not torch.cuda.is_available(), reason="sin GPU de NVIDIA")
def test_the_peak_of_a_gpu_includes_what_a_kernel_hides():
    x = torch.ones(2**20, device="cuda")
    kept = torch.ones(2**22, device="cuda")  # lo de antes no cuenta
    assert peak_bytes(lambda: x.exp().exp()) == 2 * 2**22
    assert peak_bytes(lambda: x.sort()) > 3 * 2**22 and kept.sum() > 0


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
