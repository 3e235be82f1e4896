"""Pérdidas de la destilación, contra sus fórmulas y contra PyTorch."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.vision.distillation.losses import (
    KINDS,
    SOFT_SHARE,
    UNKNOWN,
    DistillationLoss,
    hard_distillation,
    soft_distillation,
)


@pytest.fixture
def logits():
    torch.manual_seed(0)
    return torch.randn(2, 4, 5, dtype=torch.double)


class Parrot(nn.Module):
    """Un maestro que contesta siempre los mismos logits."""

    def __init__(self, answer):
        super().__init__()
        self.register_buffer("answer", answer)

    def forward(self, images):
        return self.answer.to(images)


@pytest.mark.parametrize("temperature", [1.0, 3.0])
def test_soft_loss_same_as_torch(logits, temperature):
    student, teacher = logits
    expected = temperature**2 * F.kl_div(
        (student / temperature).log_softmax(-1), (teacher / temperature).softmax(-1),
        reduction="batchmean",
    )  # fmt: skip
    torch.testing.assert_close(soft_distillation(student, teacher, temperature), expected)


def test_soft_loss_vanishes_only_for_the_same_probabilities(logits):
    student, teacher = logits
    assert soft_distillation(teacher + 7, teacher).abs() < 1e-12  # sumar lo mismo no cambia nada
    assert soft_distillation(student, teacher) > 0.01


def test_at_high_temperature_the_gradient_is_the_difference_of_logits(logits):
    """Hinton, Vinyals y Dean (2015), ec. 4: (z − v)/N, con los logits centrados."""
    student, teacher = (x - x.mean(-1, keepdim=True) for x in logits)
    student.requires_grad_()
    soft_distillation(student, teacher, 1e4).backward()
    expected = (student - teacher) / student.shape[-1] / len(student)
    torch.testing.assert_close(student.grad, expected.detach(), atol=1e-4, rtol=1e-3)


def test_hard_loss_takes_the_teacher_class_as_the_label(logits):
    student, teacher = logits
    by_hand = -student.log_softmax(-1)[torch.arange(4), teacher.argmax(-1)].mean()
    torch.testing.assert_close(hard_distillation(student, teacher), by_hand)


@pytest.mark.parametrize("kind", KINDS)
def test_each_token_has_its_loss_and_the_unknown_do_not_count(logits, kind):
    torch.manual_seed(1)
    model = DeiT(DeiTConfig(5, d_model=16, n_heads=2, n_layers=1, d_hidden=16)).double()
    images = torch.rand(4, 1, 8, 8, dtype=torch.double)
    labels = torch.tensor([1, UNKNOWN, 3, 0])
    a, b = model.both(images)
    known = labels != UNKNOWN
    first, second = (F.cross_entropy(x[known], labels[known]) for x in (a, b))
    expected = {
        "etiquetas": (first + second) / 2,
        "dura": (first + F.cross_entropy(b, logits[1].argmax(-1))) / 2,
        "blanda": (1 - SOFT_SHARE) * first + SOFT_SHARE * soft_distillation(b, logits[1]),
    }[kind]
    found = DistillationLoss(kind, Parrot(logits[1]))(model, (images, labels))
    torch.testing.assert_close(found, expected)


def test_bad_input_is_explained():
    with pytest.raises(ValueError, match="kind='suave': usa etiquetas, dura, blanda"):
        DistillationLoss("suave")
    with pytest.raises(ValueError, match="necesita un maestro"):
        DistillationLoss("dura")
    with pytest.raises(ValueError, match="temperature=0: tiene que ser mayor que 0"):
        soft_distillation(torch.zeros(1, 2), torch.zeros(1, 2), 0)
