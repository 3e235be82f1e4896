"""El acierto de un clasificador de imágenes, y el de con quién se compara."""

import pytest
import torch
from torch import nn

from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.vision.classification.metrics import image_accuracy, majority_accuracy, svm_accuracy


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
