"""La fusión tardía es la regla de Bayes."""

import pytest
import torch

from tfcourse.multimodal.fusion.decoding import class_prior, late_fusion


def test_late_fusion_is_exact_when_the_modalities_are_independent_given_the_class():
    """Una tabla de probabilidades cualquiera: la regla de Bayes, sumando casilla a casilla."""
    torch.manual_seed(0)
    prior = torch.rand(3, dtype=torch.float64).softmax(0)
    image = torch.rand(3, 4, dtype=torch.float64).softmax(1)  # p(imagen | clase)
    sound = torch.rand(3, 5, dtype=torch.float64).softmax(1)
    for i in range(4):
        for j in range(5):
            joint = prior * image[:, i] * sound[:, j]
            alone = [prior * image[:, i], prior * sound[:, j]]
            found = late_fusion(alone[0].log()[None], alone[1].log()[None], prior)
            torch.testing.assert_close(found[0].exp(), joint / joint.sum())


def test_class_prior():
    assert class_prior(torch.tensor([0, 0, 2]), 3).tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
