"""El presupuesto: unos pasos, o unos segundos de procesador, contados con un reloj de mentira."""

import math

import pytest
import torch
from torch import nn

from tfcourse.training import CpuSeconds, Evaluation, Steps, fit
from tfcourse.training.budget import Meter
from tfcourse.training.loop import Checkpoint
from tfcourse.training.schedules import cycle, warmup_cosine


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(5.0))


def square(model, batch):
    return (model.weight - batch[0]).square().mean()


def endless(value=1.0):
    while True:
        yield (torch.tensor([value]),)


@pytest.fixture
def fake_clock(monkeypatch):
    """Un reloj que avanza un cuarto de segundo cada vez que se mira."""
    ticks = iter(range(10**6))
    monkeypatch.setattr("time.process_time", lambda: next(ticks) / 4)


def train(budget, model=None, batches=None, **options):
    model = model or Line()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    batches = endless() if batches is None else batches
    return model, fit(model, batches, square, budget=budget, optimizer=optimizer, **options)


def test_it_stops_on_time_and_the_schedule_is_finished(fake_clock):
    seen = []
    model, history = train(CpuSeconds(10), schedule=lambda s: seen.append(s) or 1 - s / 10)
    assert seen == sorted(seen) and 0 < seen[0] < 1 and 9 < seen[-1] < 10
    assert history.learning_rate == pytest.approx([0.05 * (1 - s / 10) for s in seen])
    assert len(history.loss) == len(seen) > 10 and history.loss[-1] < history.loss[0]
    assert 10 <= history.seconds < 11 and not model.training


def test_measuring_spends_nothing(fake_clock):
    def slow(model):
        return {"vistas": sum(1 for _ in range(100) if Meter(CpuSeconds(1))._now() > 0)}

    _, plain = train(CpuSeconds(10))
    _, measured = train(CpuSeconds(10), evaluation=Evaluation(slow, every=3))
    steps, values = measured.curve("vistas")
    assert steps[:2] == [3, 6] and steps[-1] == len(measured.loss) and set(values) == {100}
    assert abs(len(measured.loss) - len(plain.loss)) <= len(plain.loss) / 2  # y no cien veces menos


@pytest.mark.parametrize("budget", [Steps(40), CpuSeconds(20)], ids=["pasos", "segundos"])
def test_killed_and_resumed_equals_unbroken(budget, fake_clock, tmp_path):
    """Con cualquier presupuesto: se corta a la mitad, se sigue y salen las mismas pérdidas."""
    path = tmp_path / "punto.safetensors"

    def cut(model, batch):
        cut.left -= 1
        if not cut.left:
            raise KeyboardInterrupt
        return square(model, batch)

    cut.left = 15
    options = {"schedule": cycle(budget, 0.2)}
    _, whole = train(budget, checkpoint=Checkpoint(tmp_path / "entero.safetensors", 5), **options)
    model = Line()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    point = {"checkpoint": Checkpoint(path, every=5)}
    with pytest.raises(KeyboardInterrupt):
        fit(model, endless(), cut, budget=budget, optimizer=optimizer, **point, **options)
    assert path.exists() and not model.training
    _, resumed = train(budget, **point, **options)
    assert resumed.loss == whole.loss and resumed.learning_rate == whole.learning_rate
    if isinstance(budget, CpuSeconds):
        assert resumed.seconds == whole.seconds


def test_the_cosine_warms_up_and_comes_down():
    factor = warmup_cosine(CpuSeconds(50), warmup=0.1, floor=0.2)
    assert factor(2.5) == pytest.approx(0.5) and factor(5) == pytest.approx(1)
    assert factor(27.5) == pytest.approx(0.6) and factor(50) == pytest.approx(0.2)
    assert factor(0) > 0


def test_a_cycle_lasts_what_the_budget_does():
    by_steps, by_time = cycle(Steps(20), 0.5), cycle(CpuSeconds(20), 0.5)
    assert by_steps(9) == by_time(10) == pytest.approx(1)
    assert by_steps(4) < 1 > by_steps(15) and by_time(20) == pytest.approx(0)


def test_errors():
    with pytest.raises(ValueError, match=r"Steps\(0\): hace falta al menos un paso"):
        Steps(0)
    with pytest.raises(ValueError, match=r"CpuSeconds\(0\): hace falta algo de tiempo"):
        CpuSeconds(0)
    with pytest.raises(FloatingPointError, match="la pérdida vale nan en el paso 1"):
        train(CpuSeconds(0.5), batches=endless(math.nan))
