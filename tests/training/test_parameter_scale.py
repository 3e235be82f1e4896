"""Ritmos proporcionales al tamaño de cada parámetro."""

import pytest
import torch

from tfcourse.training.parameter_scale import scaled_groups


def test_scales_by_hand():
    small, big = torch.full((3, 3), 0.02), torch.ones(5)
    groups = scaled_groups([small, big, torch.full((2,), 0.02), torch.zeros(2)], lr=0.1)
    rates = {len(group["params"]): 0 for group in groups}
    assert [round(group["lr"], 6) for group in groups] == [0.002, 0.1, 0.0001]
    assert [len(group["params"]) for group in groups] == [2, 1, 1] and rates
    with pytest.raises(ValueError, match="lr=0: tiene que ser positivo"):
        scaled_groups([big], 0)
