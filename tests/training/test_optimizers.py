"""Adam, RAdam y AdamW: iguales que los de PyTorch, y con lo que dicen sus artículos."""

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from tfcourse.training import Steps, fit
from tfcourse.training.optimizers import (
    Adam,
    AdamW,
    RAdam,
    UpdateRecorder,
    log_histogram,
    rectification,
    share_of_zeros,
)

PAIRS = [(Adam, torch.optim.Adam), (RAdam, torch.optim.RAdam), (AdamW, torch.optim.AdamW)]


def trained(optimizer_class, steps=80, **options):
    """Una red pequeña en doble precisión, entrenada; una capa no recibe gradiente."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)).double()
    unused = nn.Linear(2, 2).double()
    x = torch.randn(20, 3).double()
    optimizer = optimizer_class([*model.parameters(), *unused.parameters()], **options)
    for _ in range(steps):
        optimizer.zero_grad()
        (model(x) - x.sum(1, keepdim=True)).square().mean().backward()
        optimizer.step()
    return torch.cat([p.detach().flatten() for p in model.parameters()])


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@pytest.mark.parametrize("betas", [(0.9, 0.999), (0.9, 0.98), (0.8, 0.5)])
def test_equals_torch(ours, theirs, betas):
    options = {"lr": 0.01, "betas": betas, "eps": 1e-9}
    torch.testing.assert_close(
        trained(ours, **options), trained(theirs, **options), atol=1e-10, rtol=1e-10
    )


@pytest.mark.parametrize("weight_decay", [0.0, 0.1, 1.0])
def test_the_decay_is_that_of_torch(weight_decay):
    options = {"lr": 0.01, "weight_decay": weight_decay}
    torch.testing.assert_close(
        trained(AdamW, **options), trained(torch.optim.AdamW, **options), atol=1e-10, rtol=1e-10
    )


def test_the_decay_does_not_look_at_the_gradient():
    parameter = nn.Parameter(torch.ones(3).double())
    parameter.grad = torch.tensor([5.0, -0.001, 0.0]).double()
    AdamW([parameter], lr=0.1, weight_decay=0.5).step()
    expected = 0.95 - 0.1 * torch.tensor([1.0, -1.0, 0.0]).double()
    torch.testing.assert_close(parameter.detach(), expected, atol=2e-6, rtol=0)


def test_first_step_of_adam_is_the_sign():
    parameter = nn.Parameter(torch.tensor([1.0, 1.0, 1.0]).double())
    parameter.grad = torch.tensor([5.0, -0.001, 200.0]).double()
    Adam([parameter], lr=0.1).step()
    expected = torch.tensor([0.9, 1.1, 0.9]).double()
    torch.testing.assert_close(parameter.detach(), expected, atol=1e-5, rtol=0)


def effective_samples(t, beta2):
    """ρ_t, por su definición: el cociente (Σ peso · edad)… de una media exponencial sin sesgo."""
    weights = [beta2**i for i in range(t)]
    center = sum(weight * i for i, weight in enumerate(weights)) / sum(weights)
    return 2 * center + 1  # una media simple de n valores tiene el centro en (n − 1)/2


@pytest.mark.parametrize("beta2", [0.9, 0.98, 0.999])
@pytest.mark.parametrize("t", [6, 10, 60, 500])
def test_rectification_counts_samples_by_their_center(beta2, t):
    rho, longest = effective_samples(t, beta2), effective_samples(20_000, beta2)
    if rho > 5:
        variance = (rho - 4) * (rho - 2) / rho
        expected = math.sqrt(variance / ((longest - 4) * (longest - 2) / longest))
        assert rectification(t, beta2) == pytest.approx(expected, rel=1e-6)


@given(st.floats(0.9, 0.999), st.integers(1, 3000))
def test_rectification_grows_to_one(beta2, t):
    now, later = rectification(t, beta2), rectification(t + 1, beta2)
    assert now is None or 0 < now <= later <= 1 + 1e-9


def test_without_enough_samples_radam_does_not_divide():
    parameter = nn.Parameter(torch.zeros(2).double())
    parameter.grad = torch.tensor([5.0, 0.001]).double()
    RAdam([parameter], lr=0.1).step()
    torch.testing.assert_close(parameter.detach(), -0.1 * parameter.grad)


@pytest.mark.parametrize("optimizer_class", [Adam, RAdam, AdamW])
def test_trains_inside_fit(optimizer_class):
    """El bucle del curso lo acepta como a los de PyTorch."""
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    x = torch.randn(32, 3)
    history = fit(
        model, itertools.repeat((x, x.sum(1, keepdim=True))),
        lambda model, batch: (model(batch[0]) - batch[1]).square().mean(),
        budget=Steps(100), optimizer=optimizer_class(model.parameters(), lr=0.1),
    )  # fmt: skip
    assert history.loss[-1] < 0.1 * history.loss[0]


@pytest.mark.parametrize("betas", [(1.0, 0.9), (0.9, -0.1)])
def test_betas_are_checked(betas):
    with pytest.raises(ValueError, match="las dos tienen que estar entre 0 y 1"):
        Adam([torch.zeros(1, requires_grad=True)], betas=betas)


def test_histogram_keeps_all_but_the_exact_zeros():
    edges = torch.linspace(-3, 1, 5)
    tensors = [torch.tensor([0.0, 1e-9, 0.05]), torch.tensor([[-0.5], [1e6]])]
    torch.testing.assert_close(log_histogram(tensors, edges), torch.ones(4) / 4)
    assert share_of_zeros(tensors) == 1 / 5
    assert not log_histogram([torch.zeros(3)], edges).any()


def test_recorder_counts_the_zeros_apart():
    parameter = nn.Parameter(torch.ones(4).double())
    optimizer = torch.optim.Adam([parameter], lr=0.01)
    recorder = UpdateRecorder(optimizer, [parameter], torch.linspace(-8, 4, 13))
    for gradient in ([0.0, 1, 1, 1], [0.0, 0, 0, 1]):
        parameter.grad = torch.tensor(gradient).double()
        optimizer.step()
    assert recorder.zeros == [1 / 4, 3 / 4]
    assert recorder.still == [1 / 4, 1 / 4]  # los demás siguen por inercia


def test_recorder_sees_the_updates_of_the_first_step():
    parameter = nn.Parameter(torch.ones(4).double())
    optimizer = torch.optim.Adam([parameter], lr=0.01)
    recorder = UpdateRecorder(optimizer, [parameter], torch.tensor([-8.0, -4, -0.5, 0.5, 4]))
    parameter.grad = torch.tensor([1e-6, 1e-2, 3.0, 1e3]).double()
    optimizer.step()
    torch.testing.assert_close(recorder.gradients[0], torch.tensor([1.0, 1, 1, 1]) / 4)
    torch.testing.assert_close(recorder.updates[0], torch.tensor([0.0, 0, 1, 0]))
