"""Recetas de imágenes: construyen lo que dicen, se repiten y miden bien."""

import pytest
import torch
from torch import nn

from tfcourse.datasets.digits import LabelledImages, few_per_class, split_digits
from tfcourse.layers.patches import join_patches, split_patches
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.results import load_results
from tfcourse.vision_recipes import (
    CONTESTANTS,
    ImageRecipe,
    contestant,
    image_accuracy,
    majority_accuracy,
    svm_accuracy,
    trained,
)
from tfcourse.vision_study import (
    NAME,
    PER_CLASS,
    PatchShuffle,
    accuracy_of,
    settings,
    shuffle_patches,
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


def test_contestants_are_what_they_say():
    assert {name: type(contestant(name)).__name__ for name in CONTESTANTS} == {
        "ViT": "ViT", "ViT con tallo": "ViT", "CNN": "SmallCnn"
    }  # fmt: skip
    assert contestant("ViT", patch_size=4).config.grid == (2, 2)
    with pytest.raises(ValueError, match="no hay ninguna red 'RNN': usa ViT, ViT con tallo, CNN"):
        contestant("RNN")


@pytest.mark.parametrize("name", CONTESTANTS)
def test_training_repeats_and_learns(name):
    train, _ = split_digits()
    few, recipe = few_per_class(train, 4), ImageRecipe(steps=25, batch_size=20)
    first, second = (trained(name, few, 5, recipe)[1].loss for _ in range(2))
    assert first == second and first[-1] < first[0]


def test_shuffling_only_moves_patches():
    images = split_digits()[1].images[:3]
    mixed = PatchShuffle()(images)
    before, after = (split_patches(x, 2) for x in (images, mixed))
    assert not torch.equal(mixed, images) and torch.equal(mixed, shuffle_patches(images))
    for one, other in zip(before, after, strict=True):
        assert sorted(one.tolist()) == sorted(other.tolist())


def test_a_shuffled_vit_is_the_same_vit():
    """Con la tabla de posiciones barajada igual, la respuesta no cambia: una CNN no puede."""
    torch.manual_seed(0)
    images = torch.rand(4, 1, 8, 8)
    model = ViT(ViTConfig(10)).eval()
    numbers = torch.arange(16.0).repeat_interleave(4).view(1, 16, 4)
    order = split_patches(shuffle_patches(join_patches(numbers, 1, (4, 4))), 2)[0, :, 0].long()
    expected = model(images)
    with torch.no_grad():
        table = model.positions.table.weight
        table[1:] = table[1:][order].clone()
    torch.testing.assert_close(model(shuffle_patches(images)), expected, atol=1e-5, rtol=0)


def test_the_stored_study_is_whole():
    rows = load_results(NAME, settings())
    assert {row["study"] for row in rows} == {"imágenes", "barajadas", "piezas", "parches"}
    seeds = {row["seed"] for row in rows}
    assert len(rows) == len(seeds) * (4 * len(PER_CLASS) + 4 + 6 + 3)


@pytest.mark.lento
@pytest.mark.parametrize(("name", "case"), [("CNN", 50), ("SVM", 400)])
def test_a_row_of_the_study_is_measured_again(name, case):
    train, test = split_digits()
    (stored,) = (
        row["accuracy"] for row in load_results(NAME)
        if (row["seed"], row["study"], row["model"], row["case"]) == (1, "imágenes", name, case)
    )  # fmt: skip
    found = accuracy_of(name, few_per_class(train, case // 10, 1), test, 1)
    assert found == pytest.approx(stored, abs=0.04)
