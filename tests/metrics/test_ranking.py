"""El área bajo la curva ROC, contra scikit-learn, también con empates."""

import pytest
import torch

from tfcourse.metrics.ranking import area_under_roc


def test_area_equals_scikit_learn_with_ties():
    metrics = pytest.importorskip("sklearn.metrics")
    generator = torch.Generator().manual_seed(0)
    labels = (torch.rand(300, generator=generator) < 0.3).long()
    scores = (4 * torch.rand(300, generator=generator) + labels).round()
    expected = metrics.roc_auc_score(labels.numpy(), scores.numpy())
    assert area_under_roc(scores, labels) == pytest.approx(expected)
    assert area_under_roc(torch.zeros(4), torch.tensor([0, 1, 1, 0])) == 0.5
    with pytest.raises(ValueError, match="hay 0 casos y 4 no casos"):
        area_under_roc(torch.rand(4), torch.zeros(4).long())
