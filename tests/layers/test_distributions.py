"""De los puntajes a los pesos: la proyección por enumeración, el punto fijo y los límites."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.layers.alignment.distributions import deattention, entmax, sigmoid_weights, sparsemax
from tfcourse.layers.attention import masked_softmax

ALPHAS = (1.1, 1.5, 2.0, 3.0)
SCORES = st.lists(st.floats(-4, 4), min_size=1, max_size=6)


def random_scores(*shape, seed=0):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=g, dtype=torch.float64)


def project_by_enumeration(z):
    """El punto del símplex más cercano a z, probando todos los soportes posibles."""
    best, distance = None, math.inf
    for size in range(1, len(z) + 1):
        for support in itertools.combinations(range(len(z)), size):
            threshold = (sum(z[i] for i in support) - 1) / size
            point = [z[i] - threshold if i in support else 0.0 for i in range(len(z))]
            if min(point) < -1e-12:
                continue
            away = sum((a - b) ** 2 for a, b in zip(point, z, strict=True))
            if away < distance - 1e-13:
                best, distance = point, away
    return torch.tensor(best, dtype=torch.float64)


@given(SCORES)
@settings(max_examples=60, deadline=None)
def test_sparsemax_is_the_projection_onto_the_simplex(values):
    found = sparsemax(torch.tensor(values, dtype=torch.float64))
    # Los puntos se comparan por su distancia al cuadrado: de dos a 1e-7, cualquiera puede ganar.
    torch.testing.assert_close(found, project_by_enumeration(values), atol=1e-6, rtol=0)


@given(SCORES, st.sampled_from(ALPHAS))
@settings(max_examples=60, deadline=None)
def test_entmax_is_a_fixed_point_of_its_definition(values, alpha):
    """Con el umbral despejado de la mayor componente se recuperan todas las demás."""
    z = torch.tensor(values, dtype=torch.float64)
    p = entmax(z, alpha=alpha)
    assert (p >= 0).all()
    torch.testing.assert_close(p.sum(), torch.tensor(1.0, dtype=torch.float64))
    top = int(p.argmax())
    threshold = (alpha - 1) * z[top] - p[top] ** (alpha - 1)
    again = ((alpha - 1) * z - threshold).clamp(min=0) ** (1 / (alpha - 1))
    torch.testing.assert_close(again, p, atol=1e-7, rtol=0)


@given(SCORES, st.floats(-5, 5), st.sampled_from(ALPHAS))
@settings(max_examples=40, deadline=None)
def test_adding_a_constant_changes_nothing(values, shift, alpha):
    z = torch.tensor(values, dtype=torch.float64)
    torch.testing.assert_close(entmax(z + shift, alpha=alpha), entmax(z, alpha=alpha))


def test_entmax_has_softmax_and_sparsemax_as_limits():
    z = 2 * random_scores(20, 7)
    torch.testing.assert_close(entmax(z, alpha=2.0), sparsemax(z))
    assert torch.equal(entmax(z, alpha=1), z.softmax(-1))
    away = [(entmax(z, alpha=1 + gap) - z.softmax(-1)).abs().max() for gap in (0.1, 0.01, 0.001)]
    assert away[0] > 5 * away[1] > 25 * away[2] and away[2] < 1e-3


def test_two_scores_in_closed_form():
    """Con dos puntajes a distancia d ≤ 1: sparsemax = (1 ± d)/2; 1,5-entmax, una raíz cuadrada."""
    for gap in (0.0, 0.4, 0.9):
        z = torch.tensor([gap, 0.0], dtype=torch.float64)
        expected = torch.tensor([(1 + gap) / 2, (1 - gap) / 2], dtype=torch.float64)
        torch.testing.assert_close(sparsemax(z), expected)
        root = gap / 4 + math.sqrt(8 - gap**2) / 4  # √p de la mayor: x² + (x − gap/2)² = 1
        torch.testing.assert_close(entmax(z)[0], torch.tensor(root**2, dtype=torch.float64))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_gradients_numerically_and_by_their_jacobian(alpha):
    z = random_scores(3, 6, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: entmax(x, alpha=alpha), (z,))
    assert torch.autograd.gradcheck(sparsemax, (z,))
    p = entmax(z, alpha=alpha)[0].detach()
    slope = torch.where(p > 0, p.clamp(min=1e-30) ** (2 - alpha), 0.0)
    closed = slope.diag() - torch.outer(slope, slope) / slope.sum()
    found = torch.autograd.functional.jacobian(lambda x: entmax(x, alpha=alpha), z[0].detach())
    torch.testing.assert_close(found, closed)


@pytest.mark.parametrize(
    "distribution", [sparsemax, entmax, lambda s, m: entmax(s, m, alpha=1.05), masked_softmax]
)
def test_what_cannot_be_seen_does_not_count(distribution):
    scores = random_scores(4, 6, seed=2).requires_grad_()
    mask = torch.tensor([[1, 1, 1, 0, 0, 0], [1, 0, 1, 0, 1, 0], [0] * 6, [1] * 6]).bool()
    weights = distribution(scores, mask)
    assert (weights[~mask] == 0).all() and weights.isfinite().all()
    torch.testing.assert_close(weights[0, :3], distribution(scores[:1, :3], None)[0])
    torch.testing.assert_close(weights[1, ::2], distribution(scores[1:2, ::2], None)[0])
    changed = torch.where(mask, scores, 1e3)
    torch.testing.assert_close(distribution(changed, mask), weights)
    (grad,) = torch.autograd.grad(weights.square().sum(), scores)
    assert (grad[~mask] == 0).all() and grad.isfinite().all()


def test_sigmoid_weights_do_not_sum_to_one():
    scores = torch.tensor([[3.0, 3.0, -3.0]])
    weights = sigmoid_weights(scores, torch.tensor([[True, True, False]]))
    torch.testing.assert_close(weights, torch.tensor([[0.952574, 0.952574, 0.0]]))
    assert weights.sum() > 1.5


def test_deattention_adds_subtracts_and_cancels():
    affinity = torch.tensor([[9.0, -9.0, 9.0, 0.0]])
    dissimilarity = torch.tensor([[0.0, 0.0, -40.0, 0.0]])
    weights = deattention(affinity, dissimilarity)
    torch.testing.assert_close(weights, torch.tensor([[1.0, -1.0, 0.0, 0.0]]), atol=1e-6, rtol=0)
    mask = torch.tensor([[False, True, True, True]])
    assert deattention(affinity, dissimilarity, mask)[0, 0] == 0


def test_bad_use_is_told_in_spanish():
    with pytest.raises(ValueError, match="desde 1"):
        entmax(torch.zeros(3), alpha=0.5)
    with pytest.raises(ValueError, match="menos una distancia"):
        deattention(torch.zeros(1, 2), torch.tensor([[0.0, 0.5]]))


def test_an_additive_mask_is_refused(sin_tipos):
    for distribution in (sparsemax, entmax, sigmoid_weights):
        with pytest.raises(TypeError, match=r"debe ser torch\.bool"):
            distribution(torch.zeros(1, 3), torch.ones(1, 3))
