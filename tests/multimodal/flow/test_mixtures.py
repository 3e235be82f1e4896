"""La velocidad exacta: contra la integral, contra la densidad, y lo que hace al recorrerla."""

import pytest
import torch

from tfcourse.multimodal.flow.decoding import flow_path
from tfcourse.multimodal.flow.losses import along, flow_matching_loss
from tfcourse.multimodal.flow.mixtures import Mixture

CENTERS, SHARES, WIDTH = torch.tensor([[-2.0], [0.5], [3.0]]).double(), [0.5, 0.2, 0.3], 0.4


def three(width=WIDTH):
    return Mixture(CENTERS, width, torch.tensor(SHARES).double())


def bell(x, center, width):
    return (-0.5 * ((x - center) / width) ** 2).exp() / width


def by_integral(x, time):
    """Media de dato − ruido entre los que pasan por `x` en ese instante, sumando en una rejilla."""
    data = torch.linspace(-8, 9, 20_001, dtype=torch.double)
    noise = (x - time * data) / (1 - time)
    prior = sum(s * bell(data, float(c), WIDTH) for s, c in zip(SHARES, CENTERS, strict=True))
    weights = prior * bell(noise, 0.0, 1.0)
    return ((data - noise) * weights).sum() / weights.sum()


@pytest.mark.parametrize("time", [0.0, 0.3, 0.8])
def test_it_is_the_mean_of_those_that_pass_through_there(time):
    x = torch.tensor([[-3.0], [0.0], [1.7]]).double()
    told = three().velocity(x, torch.full((3,), time, dtype=torch.double))
    wanted = torch.stack([by_integral(float(place), time) for place in x]).view_as(x)
    torch.testing.assert_close(told, wanted, atol=1e-6, rtol=1e-6)


def test_it_says_where_the_density_grows():
    """t v(x) − x = (1 − t) ∇ log p(x): de ahí sale la guía."""
    time, x = 0.6, torch.linspace(-2, 3, 7, dtype=torch.double)[:, None].requires_grad_()
    spread = ((1 - time) ** 2 + (time * WIDTH) ** 2) ** 0.5
    density = sum(s * bell(x, time * c, spread) for s, c in zip(SHARES, CENTERS, strict=True))
    (slope,) = torch.autograd.grad(density.log().sum(), x)
    told = three().velocity(x.detach(), torch.full((7,), time, dtype=torch.double))
    torch.testing.assert_close(time * told - x, (1 - time) * slope)


def test_no_other_field_costs_less():
    generator = torch.Generator().manual_seed(0)
    data, noise = three().sample(20_000, generator), torch.randn(20_000, 1, generator=generator)
    times = torch.rand(20_000, generator=generator) * 0.95
    exact = three().velocity
    best = flow_matching_loss(exact, noise, data.float(), times)
    for change in (lambda v: v + 0.1, lambda v: 0.95 * v, lambda v: v + 0.1 * v.sin()):
        worse = flow_matching_loss(
            lambda x, t, f=change: f(exact(x, t)), noise, data.float(), times
        )
        assert worse > best + 1e-3


def test_to_a_single_datum_one_step_is_exact():
    datum = torch.randn(1, 2, 3).double()
    alone, noise = Mixture(datum), torch.randn(5, 2, 3).double()
    for steps in (1, 7):
        path = flow_path(alone.velocity, noise, steps)
        torch.testing.assert_close(path[-1], datum.expand(5, -1, -1))
        wanted = along(noise, datum.expand(5, -1, -1), torch.full((5,), 1 / steps).double())
        torch.testing.assert_close(path[1], wanted)
    zero = flow_matching_loss(
        alone.velocity, noise, datum.expand(5, -1, -1), torch.rand(5).double()
    )
    assert zero < 1e-20


def test_to_a_bell_it_arrives_at_the_bell():
    """De una campana a otra el camino es conocido: x₁ = centro + ancho · ruido."""
    one, noise = Mixture(torch.tensor([[1.5]]).double(), 0.3), torch.randn(50, 1).double()
    wanted = 1.5 + 0.3 * noise
    errors = {
        (solver, n): float((flow_path(one.velocity, noise, n, solver)[-1] - wanted).abs().max())
        for solver in ("Euler", "Heun") for n in (20, 40)
    }  # fmt: skip
    assert 1.7 < errors["Euler", 20] / errors["Euler", 40] < 2.4
    assert 3.2 < errors["Heun", 20] / errors["Heun", 40] < 5.0
    assert errors["Heun", 40] < errors["Euler", 40] / 5


def test_loose_data_are_what_it_draws():
    """El mínimo exacto de la pérdida con unos datos es quien los copia."""
    generator = torch.Generator().manual_seed(3)
    data = torch.randn(12, 6, generator=generator).double()
    drawn = flow_path(Mixture(data).velocity, torch.randn(40, 6, generator=generator).double(), 64)[
        -1
    ]
    far = torch.cdist(drawn, data).min(1)
    assert far.values.median() < 1e-2 and len(far.indices.unique()) > 4


def test_samples_follow_their_shares_and_errors_are_told():
    drawn = three().sample(6_000, torch.Generator().manual_seed(1))
    nearest = (drawn - CENTERS.T).abs().argmin(1).bincount() / 6_000
    torch.testing.assert_close(nearest.double(), torch.tensor(SHARES).double(), atol=0.02, rtol=0)
    inside = drawn[drawn < -1]
    assert abs(float(inside.std()) - WIDTH) < 0.03
    with pytest.raises(ValueError, match="un ancho no puede ser negativo"):
        Mixture(CENTERS, -0.1)
    with pytest.raises(ValueError, match="hay 2 pesos y 3 centros"):
        Mixture(CENTERS, 0.1, torch.ones(2))
