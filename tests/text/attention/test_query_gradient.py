"""El gradiente que llega a una consulta, contra autograd y contra la ecuación del softmax."""

import math

import pytest
import torch

from tfcourse.layers.attention import attention_weights
from tfcourse.text.attention.query_gradient import (
    nearly_tied,
    query_gradient,
    query_gradient_norms,
    random_queries,
)


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("d_k", [1, 5, 64])
def test_it_is_what_autograd_computes(scaled, d_k):
    generator = torch.Generator().manual_seed(d_k)
    q = torch.randn(d_k, dtype=torch.double, generator=generator)
    k = torch.randn(7, d_k, dtype=torch.double, generator=generator)

    def weights(query):
        return attention_weights(query[None] * (1 if scaled else math.sqrt(d_k)), k)[0]

    exact = torch.autograd.functional.jacobian(weights, q)
    torch.testing.assert_close(query_gradient(q, k, scaled=scaled), exact)
    torch.testing.assert_close(query_gradient_norms(q, k, scaled=scaled), exact.norm())


def test_each_query_has_its_own_keys():
    generator = torch.Generator().manual_seed(0)
    q, k = random_queries(8, n_queries=6, n_keys=5, generator=generator)
    assert q.shape == (6, 8) and k.shape == (6, 5, 8)
    together = query_gradient(q, k)
    for row in range(6):
        torch.testing.assert_close(together[row], query_gradient(q[row], k[row]))
    torch.testing.assert_close(together.sum(dim=1), torch.zeros(6, 8), atol=1e-6, rtol=0)


def test_two_scores_are_tied_within_a_margin():
    q = torch.ones(3, 1)
    k = torch.tensor([[[5.0], [4.5], [0.0]], [[9.0], [3.0], [3.0]], [[1.0], [0.0], [0.0]]])
    assert nearly_tied(q, k) == pytest.approx(1 / 3)  # en la tercera distan justo el margen
    assert nearly_tied(q, k, margin=1.5) == pytest.approx(2 / 3)
    assert nearly_tied(q, k, margin=7) == 1.0
