"""Muon: ortogonalidad frente a la SVD y paridad con PyTorch."""

import pytest
import torch
from torch import nn

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.training.muon import Muon, orthogonalize, split_parameters
from tfcourse.training.optimizers import Adam

DOUBLE = torch.float64


def matrix(rows, columns, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, columns, dtype=DOUBLE, generator=generator)


@pytest.mark.parametrize("shape", [(12, 12), (6, 20), (20, 6)])
def test_the_directions_stay_and_the_singular_values_come_close_to_one(shape):
    u, s, vt = torch.linalg.svd(matrix(*shape), full_matrices=False)
    got = orthogonalize(u @ torch.diag(s) @ vt)
    inside = u.T @ got @ vt.T  # las mismas direcciones: queda una matriz diagonal
    torch.testing.assert_close(inside, torch.diag(inside.diagonal()), atol=1e-9, rtol=0)
    assert float(inside.diagonal().min()) > 0.5 and float(inside.diagonal().max()) < 1.3


def test_it_does_not_depend_on_the_scale_and_works_in_batches():
    batch = torch.stack([matrix(5, 7, seed) for seed in range(3)])
    torch.testing.assert_close(orthogonalize(1000 * batch), orthogonalize(batch), rtol=1e-5, atol=0)
    for one, together in zip(batch, orthogonalize(batch), strict=True):
        torch.testing.assert_close(orthogonalize(one), together)
    assert not orthogonalize(torch.zeros(3, 4)).any()


def test_each_step_follows_the_polynomial():
    u, s, vt = torch.linalg.svd(matrix(5, 8), full_matrices=False)
    s = s / s.norm()
    for _ in range(2):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    torch.testing.assert_close(orthogonalize(matrix(5, 8), steps=2), u @ torch.diag(s) @ vt,
                               rtol=1e-5, atol=1e-7)  # fmt: skip


def run(optimizer, parameters, steps=4):
    for step in range(steps):
        for number, parameter in enumerate(parameters):
            parameter.grad = matrix(*parameter.shape, seed=10 * step + number)
        optimizer.step()


@pytest.mark.skipif(not hasattr(torch.optim, "Muon"), reason="este PyTorch no trae Muon")
def test_same_as_torch(monkeypatch):
    # PyTorch ortogonaliza en bfloat16; para comparar dígitos se le deja la precisión que hay.
    monkeypatch.setattr(torch.Tensor, "bfloat16", lambda self: self.clone())
    ours = [nn.Parameter(matrix(r, c)) for r, c in ((6, 6), (4, 9), (9, 4), (6, 6))]
    theirs = [nn.Parameter(p.detach().clone()) for p in ours]
    run(Muon(ours, [], lr=0.03, weight_decay=0.1), ours)
    run(torch.optim.Muon(theirs, lr=0.03, weight_decay=0.1, momentum=0.95), theirs)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-6, atol=1e-8)


def test_the_rest_goes_with_adam():
    vector, same = (nn.Parameter(matrix(3, 2)[:, 0].clone()) for _ in range(2))
    settings = {"betas": (0.9, 0.95), "eps": 1e-10}
    mixed, alone = Muon([], [vector], adam_lr=0.01), Adam([same], lr=0.01, **settings)
    for step in range(3):
        vector.grad = same.grad = matrix(3, 1, step)[:, 0]
        mixed.step()
        alone.step()
    torch.testing.assert_close(vector, same)


def test_tables_gains_and_biases_do_not_go_with_muon():
    model = GPT(GPTConfig(40, d_model=16, n_layers=2, max_length=8))
    matrices, others = split_parameters(model)
    assert len(matrices) == 2 * 6 and all(p.ndim == 2 for p in matrices)
    assert any(p is model.embedding.weight for p in others)
    assert any(p is model.positions.weight for p in others)
    assert len(matrices) + len(others) == len(list(model.parameters()))


def test_it_learns_where_the_directions_are_uneven():
    """Un problema mal condicionado: el gradiente casi no ve una dirección, y Muon sí la mueve."""
    scales = torch.diag(torch.logspace(0, -2, 8, dtype=DOUBLE))
    target, losses = matrix(8, 8), {}
    for name in ("Muon", "SGD"):
        weight = nn.Parameter(torch.zeros(8, 8, dtype=DOUBLE))
        optimizer = Muon([weight], [], lr=0.4) if name == "Muon" else torch.optim.SGD([weight], 0.5)
        for step in range(100):
            if name == "Muon":
                optimizer.param_groups[0]["lr"] = 0.4 * (1 - step / 100)
            optimizer.zero_grad()
            ((weight - target) @ scales).square().sum().backward()
            optimizer.step()
        losses[name] = float((weight - target).detach().square().sum())
    assert losses["Muon"] < 0.2 * losses["SGD"]


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match=r"parámetro de forma \(3,\): ponlo en others"):
        Muon([nn.Parameter(torch.zeros(3))], [])
    with pytest.raises(ValueError, match="un tensor de 1 eje"):
        orthogonalize(torch.zeros(3))
