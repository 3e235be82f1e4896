"""Las medidas: contra bucles y formas cerradas, y con quien copia y quien se repite."""

import math

import pytest
import torch

from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.multimodal.flow.metrics import (
    COPY_LEVEL,
    agreement,
    copied,
    copy_threshold,
    diversity,
    features,
    frechet_distance,
    nearest,
)
from tfcourse.vision.classification.recipe import load


def some(n=12, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(n, 1, 3, 3, generator=generator)


def test_the_nearest_is_found_by_loops():
    images, known = some(), some(7, 1)
    distances, places = nearest(images, known)
    for image, distance, place in zip(images, distances, places, strict=True):
        all_of_them = [math.dist(image.flatten().tolist(), k.flatten().tolist()) for k in known]
        assert int(place) == min(range(7), key=all_of_them.__getitem__)
        assert float(distance) == pytest.approx(min(all_of_them), abs=1e-5)


def test_a_copyist_is_caught_and_held_out_images_are_not():
    train, test = split_digits()
    threshold = copy_threshold(train.images, test.images)
    assert copied(train.images[:200], train.images, threshold) == 1
    assert copied(test.images, train.images, threshold) == pytest.approx(COPY_LEVEL, abs=0.01)
    assert copied(torch.rand(50, 1, 8, 8), train.images, threshold) == 0


def test_diversity_is_the_mean_distance_inside_each_class():
    images, labels = some(6), torch.tensor([0, 0, 0, 2, 2, 2])
    flat = images.flatten(1)
    own = [
        sum((flat[a] - flat[b]).norm() for a, b in ((i, i + 1), (i, i + 2), (i + 1, i + 2))) / 3
        for i in (0, 3)
    ]
    assert diversity(LabelledImages(images, labels)) == pytest.approx(float(sum(own)) / 2, rel=1e-5)
    same = images[:1].expand(6, -1, -1, -1)
    assert diversity(LabelledImages(same, labels)) == 0
    alone = diversity(LabelledImages(images[:4], labels[:4]))  # la del 2 no cuenta: es una
    assert alone == pytest.approx(float(own[0]), rel=1e-5)
    with pytest.raises(ValueError, match="no hay dos dibujos de la misma clase"):
        diversity(LabelledImages(images[2:4], labels[2:4]))


def test_the_judge_agrees_with_real_digits_and_not_with_other_labels():
    judge, (_, test) = load("vit_cifras"), split_digits()
    assert agreement(judge, test) > 0.95
    assert agreement(judge, LabelledImages(test.images, (test.labels + 1) % 10)) < 0.1
    seen = features(judge, test.images[:5])
    torch.testing.assert_close(judge.head(seen), judge(test.images[:5]))


def test_frechet_of_two_clouds():
    generator = torch.Generator().manual_seed(0)
    cloud = torch.randn(400, 3, generator=generator)
    assert abs(frechet_distance(cloud, cloud)) < 1e-6
    shift = torch.tensor([1.0, -2.0, 0.5])
    assert frechet_distance(cloud, cloud + shift) == pytest.approx(float(shift.square().sum()))
    assert frechet_distance(cloud, 3 * cloud) == pytest.approx(
        float(4 * cloud.double().mean(0).square().sum() + 4 * cloud.double().T.cov().trace())
    )


def test_frechet_against_the_matrix_root():
    linalg = pytest.importorskip("scipy.linalg")
    generator = torch.Generator().manual_seed(2)
    one, two = (torch.randn(60, 4, generator=generator).double() for _ in range(2))
    two = two @ torch.randn(4, 4, generator=generator).double() + 1
    c, d = one.T.cov(), two.T.cov()
    root = torch.from_numpy(linalg.sqrtm((c @ d).numpy()).real)
    wanted = (one.mean(0) - two.mean(0)).square().sum() + (c + d - 2 * root).trace()
    assert frechet_distance(one, two) == pytest.approx(float(wanted), rel=1e-6)
