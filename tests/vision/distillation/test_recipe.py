"""Recetas de destilación: lotes con lo que se sabe y lo que no, y el maestro no aprende."""

import pytest
import torch
from torch import nn

from tfcourse.datasets.pictures.digits import few_per_class, split_digits
from tfcourse.models.deit import DeiT
from tfcourse.models.vit import ViT
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.vision.distillation.losses import UNKNOWN
from tfcourse.vision.distillation.recipe import Recipe, batches, build, train

QUICK = {"steps": 3, "batch_size": 16}


def flat_teacher():
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 10))


def test_a_student_has_the_network_of_its_recipe():
    assert type(build(Recipe())) is DeiT and build(Recipe(), patch_size=4).config.grid == (2, 2)
    assert type(build(Recipe(network="ViT"))) is ViT


def test_the_teacher_learns_nothing():
    data, _ = split_digits()
    teacher = flat_teacher()
    before = [p.clone() for p in teacher.parameters()]
    train(Recipe(kind="blanda", **QUICK), 0, labelled=few_per_class(data, 3), teacher=teacher)
    assert all(torch.equal(a, b) for a, b in zip(before, teacher.parameters(), strict=True))
    assert all(p.grad is None for p in teacher.parameters()) and not teacher.training


def test_batches_are_half_known_and_half_unknown():
    data, _ = split_digits()
    few, recipe = few_per_class(data, 3), Recipe(**QUICK)
    images, labels = next(batches(recipe, 0, few, data.images))
    assert len(images) == 16 and (labels == UNKNOWN).tolist() == [False] * 8 + [True] * 8
    images, labels = next(batches(recipe, 0, few))
    assert len(images) == 16 and (labels >= 0).all()
    assert len(next(batches(recipe, 0, few_per_class(data, 1)))[0]) == 10


def test_images_without_a_label_need_someone_who_answers():
    data, _ = split_digits()
    with pytest.raises(ValueError, match="quita pool"):
        train(Recipe(), 0, labelled=few_per_class(data, 2), pool=data.images)


def test_a_student_goes_on_from_its_checkpoint(tmp_path):
    data, _ = split_digits()
    few, point = few_per_class(data, 3), Checkpoint(tmp_path / "alumno.safetensors", 1)
    first = train(Recipe(**QUICK), 0, labelled=few, checkpoint=point)
    saved = point.path.read_bytes()
    second = train(Recipe(**QUICK), 0, labelled=few, checkpoint=point)
    assert second.history.loss == first.history.loss
    assert point.path.read_bytes() == saved, "no tenía que dar ningún paso más"
