"""El acierto de un clasificador de imágenes, y el de con quién se compara."""

import pytest
import torch
from torch import nn

from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.vision.classification.losses import findings_loss
from tfcourse.vision.classification.metrics import (
    finding_areas,
    image_accuracy,
    majority_accuracy,
    svm_accuracy,
)


class Constant(nn.Module):
    """Una red que contesta siempre lo mismo."""

    def __init__(self, answer):
        super().__init__()
        self.logits = nn.Parameter(torch.eye(10)[answer])

    def forward(self, images):
        return self.logits.expand(len(images), -1)


def test_accuracies_are_counted():
    train, test = split_digits()
    share = float((test.labels == 3).float().mean())
    assert image_accuracy(Constant(3), test) == pytest.approx(share)
    threes = LabelledImages(train.images[:5], torch.full((5,), 3))
    assert majority_accuracy(threes, test) == pytest.approx(share)
    assert svm_accuracy(few_per_class(train, 20), test) > 0.85


def test_each_finding_has_its_own_area():
    """Etiqueta a etiqueta, como scikit-learn; y no la de todas juntas, que es otra."""
    areas = pytest.importorskip("sklearn.metrics").roc_auc_score
    generator = torch.Generator().manual_seed(0)
    findings = (torch.rand(60, 3, generator=generator) < torch.tensor([0.1, 0.3, 0.6])).float()
    scores = torch.rand(60, 3, generator=generator) + 0.3 * findings + torch.arange(3.0)
    found = finding_areas(scores, findings)
    assert found == pytest.approx(areas(findings.numpy(), scores.numpy(), average=None))
    together = areas(findings.flatten().numpy(), scores.flatten().numpy())
    assert abs(sum(found) / 3 - together) > 0.05


def test_the_loss_of_findings_is_a_yes_or_no_for_each():
    logits, findings = torch.tensor([[2.0, -1.0]]), torch.tensor([[1.0, 0.0]])
    loss = findings_loss(nn.Identity(), (logits, findings))
    by_hand = -(torch.sigmoid(logits[0, 0]).log() + (1 - torch.sigmoid(logits[0, 1])).log()) / 2
    torch.testing.assert_close(loss, by_hand)
