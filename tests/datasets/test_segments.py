"""Escenas para segmentar: cada punto es de un segmento y de uno solo."""

import torch

from tfcourse.datasets.scenes.scenes import CROWDED_SCENES, SHAPE_SCENES, make_scenes
from tfcourse.datasets.scenes.segments import (
    SegmentedImages,
    panoptic_map,
    segment_batches,
    touches_its_kind,
    with_background,
)


def crowd(n=12, seed=0):
    return make_scenes(n, torch.Generator().manual_seed(seed), CROWDED_SCENES)


def test_every_point_belongs_to_one_segment():
    scenes = crowd()
    batch = with_background(scenes)
    assert torch.equal(batch.masks.sum(1), torch.ones(12, 64, 64, dtype=torch.long))
    assert torch.equal(batch.counts, scenes.counts + 1)
    painted = (batch.masks * batch.classes[..., None, None]).sum(1)
    assert torch.equal(painted, batch.semantic)
    exists = torch.arange(batch.masks.shape[1]) < batch.counts[:, None]
    assert torch.equal(batch.masks.any(-1).any(-1), exists)
    assert (batch.classes[~exists] == 0).all() and (batch.classes[:, 0] == 0).all()


def test_the_panoptic_answer_has_both_things():
    scenes = crowd()
    answer = panoptic_map(scenes)
    assert torch.equal(answer[..., 0], scenes.semantic)
    assert torch.equal(answer[..., 1] == 0, scenes.semantic == 0)
    for image, count in enumerate(scenes.counts.tolist()):
        for thing in range(count):
            assert torch.equal(answer[image, ..., 1] == thing + 1, scenes.masks[image, thing])


def neighbours(a, b):
    """A fuerza de bucles: ¿hay un punto de a junto a uno de b, también en diagonal?"""
    far = b.nonzero()
    return any(bool(((far - point).abs().amax(1) <= 1).any()) for point in a.nonzero())


def test_who_touches_its_kind():
    scenes = crowd(30)
    found = touches_its_kind(scenes)
    for image, count in enumerate(scenes.counts.tolist()):
        for i in range(count):
            wanted = any(
                scenes.classes[image, i] == scenes.classes[image, j]
                and neighbours(scenes.masks[image, i], scenes.masks[image, j])
                for j in range(count)
                if j != i
            )
            assert bool(found[image, i]) == wanted
    assert not found[~scenes.present].any()


def test_crowds_touch_and_the_others_hardly():
    many = [
        touches_its_kind(make_scenes(200, torch.Generator().manual_seed(0), config)).sum()
        for config in (CROWDED_SCENES, SHAPE_SCENES)
    ]
    assert many[0] > 60 and many[1] < many[0] / 4


def test_batches_are_tuples_that_repeat_with_the_seed():
    first, again, other = (next(segment_batches(2, seed)) for seed in (0, 0, 1))
    assert torch.equal(first.images, again.images) and not torch.equal(first.images, other.images)
    assert SegmentedImages(*first).masks.shape == (2, 5, 64, 64)
