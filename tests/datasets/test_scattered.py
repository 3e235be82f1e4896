"""Cifras perdidas: caben, se reparten por todo el lienzo y se repiten con la misma semilla."""

import pytest
import torch

from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.datasets.pictures.scattered import Scene, paste, scattered, scattered_batches
from tfcourse.vision.hierarchy.recipe import SCENE


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("scene", [Scene(), SCENE])
def test_the_digit_has_its_size_and_stays_inside(scene):
    """Un cuadrado lleno ocupa los píxeles que le tocan: ninguno se pierde por el borde."""
    full = torch.ones(64, 1, 8, 8)
    ink = paste(full, scene, generator()).sum(dim=(1, 2, 3))
    assert (ink > 0.9 * scene.smallest**2).all() and (ink < 1.1 * scene.largest**2).all()


def test_digits_go_everywhere():
    ink = paste(torch.ones(300, 1, 8, 8), Scene(32, 8, 8, 0), generator())[:, 0]
    centre = ink.sum(dim=2).argmax(dim=1)
    assert centre.min() < 6 and centre.max() > 20
    assert (ink.mean(0)[3:-3, 3:-3] > 0.005).all()


def test_labels_are_those_of_the_whole_digit():
    images = torch.zeros(2, 1, 8, 8)
    images[1] = 1.0
    digits = LabelledImages(images, torch.tensor([4, 7]))
    found = scattered(digits, 40, Scene(32, 16, 16, 0), generator())
    ink = found.images.sum(dim=(1, 2, 3))
    assert torch.equal(found.labels == 7, ink > 1) and set(found.labels.tolist()) == {4, 7}
    with_pieces = scattered(digits, 40, Scene(32, 16, 16, 3), generator())
    assert with_pieces.images.sum() > found.images.sum()


def test_same_seed_same_batches_and_none_is_repeated():
    train, _ = split_digits()
    first, second = (scattered_batches(train, 4, SCENE, 3) for _ in range(2))
    images, labels = next(first)
    assert images.shape == (4, 1, 32, 32) and labels.shape == (4,)
    assert torch.equal(images, next(second)[0]) and not torch.equal(images, next(first)[0])


def test_a_digit_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="la cifra tiene que caber"):
        Scene(side=16)
