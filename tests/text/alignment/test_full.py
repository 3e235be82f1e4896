"""La 1,5-entmax no pierde precisión dentro de la precisión mixta."""

import torch

from tfcourse.layers.alignment.distributions import entmax
from tfcourse.text.alignment.full import precise_entmax


def test_entmax_is_computed_in_float32():
    scores = torch.randn(4, 3, 30, generator=torch.Generator().manual_seed(0)).bfloat16()
    weights = precise_entmax(scores)
    assert weights.dtype == torch.float32
    torch.testing.assert_close(weights, entmax(scores.float()), rtol=0, atol=0)
    torch.testing.assert_close(weights.sum(-1), torch.ones(4, 3))
