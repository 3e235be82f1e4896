"""Destilación: pérdidas contra sus fórmulas, lotes con lo que se sabe y lo que no, y el estudio."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tfcourse.datasets.digits import few_per_class, split_digits
from tfcourse.distillation import (
    KINDS,
    SOFT_SHARE,
    UNKNOWN,
    DistillationLoss,
    distillation_batches,
    distilled,
    hard_distillation,
    soft_distillation,
)
from tfcourse.distillation_study import NAME, PER_CLASS, WAYS, by_token, pupil, settings
from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.results import load_results
from tfcourse.vision_recipes import ImageRecipe

QUICK = ImageRecipe(steps=3, batch_size=16)


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


def test_the_teacher_learns_nothing():
    train, _ = split_digits()
    teacher = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))
    before = [p.clone() for p in teacher.parameters()]
    distilled("blanda", few_per_class(train, 3), 0, teacher=teacher, recipe=QUICK)
    assert all(torch.equal(a, b) for a, b in zip(before, teacher.parameters(), strict=True))
    assert all(p.grad is None for p in teacher.parameters()) and not teacher.training


def test_batches_are_half_known_and_half_unknown():
    train, _ = split_digits()
    few = few_per_class(train, 3)
    images, labels = next(distillation_batches(few, train.images, QUICK, 0))
    assert len(images) == 16 and (labels == UNKNOWN).tolist() == [False] * 8 + [True] * 8
    images, labels = next(distillation_batches(few, None, QUICK, 0))
    assert len(images) == 16 and (labels >= 0).all()
    small = few_per_class(train, 1)
    assert len(next(distillation_batches(small, None, QUICK, 0))[0]) == 10


@pytest.mark.parametrize("way", WAYS)
def test_every_way_trains_and_repeats(way):
    train, test = split_digits()
    kind, with_pool, token = WAYS[way]
    teacher = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))
    options = {"teacher": None if kind == "etiquetas" else teacher, "token": token,
               "pool": train.images if with_pool else None, "recipe": QUICK}  # fmt: skip
    few = few_per_class(train, 3)
    first, second = (distilled(kind, few, 4, **options) for _ in range(2))
    assert isinstance(first, DeiT) == token
    assert all(
        torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True)
    )
    measured = by_token(first, test)
    assert set(measured) == ({"accuracy", "class_token", "teacher_token", "cosine"} if token
                             else {"accuracy"})  # fmt: skip
    assert all(-1 <= value <= 1 for value in measured.values())


def test_bad_input_is_explained():
    train, _ = split_digits()
    few = few_per_class(train, 2)
    with pytest.raises(ValueError, match="kind='suave': usa etiquetas, dura, blanda"):
        DistillationLoss("suave")
    with pytest.raises(ValueError, match="necesita un maestro"):
        DistillationLoss("dura")
    with pytest.raises(ValueError, match="temperature=0: tiene que ser mayor que 0"):
        soft_distillation(torch.zeros(1, 2), torch.zeros(1, 2), 0)
    with pytest.raises(ValueError, match="quita pool"):
        distilled("etiquetas", few, 0, pool=train.images)
    with pytest.raises(ValueError, match="no hay ninguna manera 'media'"):
        pupil("media", few, 0, nn.Identity(), train.images)


def test_the_stored_study_is_whole_and_pays_where_it_says():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    without_pool = sum(not pool for _, pool, _ in WAYS.values())
    assert len(seeds) == 5
    assert len(rows) == 5 * ((len(PER_CLASS) - 1) * (len(WAYS) + 1) + without_pool + 1)
    few = {(r["seed"], r["way"]): r["accuracy"] for r in rows if r["labels"] == 50}
    gains = [few[s, "dura, con más imágenes"] - few[s, "sin maestro"] for s in seeds]
    assert min(gains) > 0.01
