"""Máscaras: qué significan y qué rechazan."""

import pytest
import torch

from tfcourse.layers.masks import (
    causal_mask,
    combine_masks,
    modality_mask,
    padding_mask,
    prefix_mask,
)


def test_padding_mask_sees_the_real_positions():
    mask = padding_mask(torch.tensor([3, 0, 1]), 3)
    assert mask.shape == (3, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[True, True, True], [False] * 3, [True, False, False]]


@pytest.mark.parametrize(("n_queries", "n_keys"), [(4, 4), (2, 5), (1, 3)])
def test_causal_mask_by_definition(n_queries, n_keys):
    mask = causal_mask(n_queries, n_keys)
    assert mask.shape == (1, 1, n_queries, n_keys)
    for i in range(n_queries):
        position = n_keys - n_queries + i
        assert mask[0, 0, i].tolist() == [j <= position for j in range(n_keys)]


def test_combination_is_the_intersection():
    padding, causal = padding_mask(torch.tensor([2, 3]), 3), causal_mask(3)
    both = combine_masks(padding, None, causal)
    assert both.shape == (2, 1, 3, 3)
    assert both[0, 0].tolist() == [[True, False, False], [True, True, False], [True, True, False]]
    assert combine_masks(None, None) is None


@pytest.mark.usefixtures("sin_tipos")
class TestErrors:
    def test_lengths_out_of_range(self):
        with pytest.raises(ValueError, match="longitudes entre 2 y 5.*max_length=4"):
            padding_mask(torch.tensor([2, 5]), 4)
        with pytest.raises(ValueError, match="longitudes entre -1"):
            padding_mask(torch.tensor([-1, 2]), 4)

    def test_fewer_keys_than_queries(self):
        with pytest.raises(ValueError, match="n_keys=2 es menor que n_queries=3"):
            causal_mask(3, 2)

    def test_non_boolean(self):
        with pytest.raises(TypeError, match="debe ser torch.bool"):
            combine_masks(torch.ones(2, 2), causal_mask(2))


@pytest.mark.parametrize("n_prefix", range(6))
def test_the_prefix_is_seen_by_all_and_the_rest_is_causal(n_prefix):
    mask = prefix_mask(n_prefix, 5)[0, 0]
    for query in range(5):
        for key in range(5):
            assert mask[query, key] == (key <= query or key < n_prefix)


def test_a_prefix_that_does_not_fit():
    with pytest.raises(ValueError, match="n_prefix=6 con length=5: el prefijo mide entre 0"):
        prefix_mask(6, 5)


def test_modality_mask_by_pairs():
    kinds = torch.tensor([0, 1, 1, 0, 2])
    rules = {
        "todas": lambda i, j: True,
        "propia": lambda i, j: kinds[i] == kinds[j],
        "otra": lambda i, j: kinds[i] != kinds[j],
    }
    for look, allowed in rules.items():
        mask = modality_mask(kinds, look)
        assert mask.shape == (1, 1, 5, 5) and mask.dtype == torch.bool
        for i in range(5):
            for j in range(5):
                assert bool(mask[0, 0, i, j]) == bool(allowed(i, j)), (look, i, j)


def test_modality_mask_errors():
    with pytest.raises(ValueError, match="look='ajena': usa todas, propia, otra"):
        modality_mask(torch.tensor([0, 1]), "ajena")
