"""Agrupar por etiquetas: la pérdida contra bucles, y figuras que se recuperan de sus puntos."""

import itertools
import math

import pytest
import torch

from tests.fixed_answers import Says
from tfcourse.datasets.scenes.figures import FigureConfig, make_figures
from tfcourse.layers.image.keypoint_heads import heatmaps
from tfcourse.models.bottom_up import KeypointMaps
from tfcourse.vision.pose.grouping import (
    MIN_HEAT,
    MIN_JOINTS,
    ORDER,
    TAG_WEIGHT,
    bottom_up_loss,
    group_by_tags,
    group_poses,
    local_peaks,
    tag_loss,
)

FAR = FigureConfig(96, 1, 3, sides=(38.0, 50.0))


def test_tag_loss_by_loops():
    g = torch.Generator().manual_seed(0)
    tags, present = torch.randn(4, 3, 5, generator=g), torch.rand(4, 3, generator=g) > 0.3
    present[0] = torch.tensor([True, True, False])
    pulls, pushes = [], []
    for image in range(4):
        rows = [tags[image, m] for m in range(3) if present[image, m]]
        pulls += [float(((row - row.mean()) ** 2).mean()) for row in rows]
        pushes += [
            math.exp(-0.5 * float(a.mean() - b.mean()) ** 2)
            for i, a in enumerate(rows)
            for j, b in enumerate(rows)
            if i != j
        ]
    pull, push = tag_loss(tags, present)
    assert float(pull) == pytest.approx(sum(pulls) / len(pulls), rel=1e-5)
    assert float(push) == pytest.approx(sum(pushes) / len(pushes), rel=1e-5)


def test_equal_tags_inside_and_far_outside_cost_nothing():
    tags = torch.tensor([[[0.0, 0.0], [9.0, 9.0]]])
    pull, push = tag_loss(tags, torch.ones(1, 2, dtype=torch.bool))
    assert pull == 0 and push < 1e-6


def perfect_maps(batch, tag=lambda m: 3.0 * m):
    """Los mapas que haría un modelo perfecto, sin ruido."""
    maps = heatmaps(batch.keypoints, 48) * batch.present[:, :, None, None, None]
    heat = maps.amax(dim=1).clamp(1e-4, 1 - 1e-4).logit()
    owner = maps.argmax(dim=1)
    return KeypointMaps(heat, torch.stack([torch.tensor(tag(m)) for m in range(3)])[owner])


def test_perfect_maps_give_back_the_figures():
    batch = make_figures(20, torch.Generator().manual_seed(1), FAR)
    found = group_poses(perfect_maps(batch))
    assert len(found.owners) >= 0.9 * int(batch.counts.sum())
    errors = []
    for owner, pose in zip(found.owners, found.keypoints, strict=True):
        true = batch.keypoints[owner, batch.present[owner]]
        errors.append(float((true - pose).norm(dim=-1).mean(-1).min()))
    assert sorted(errors)[len(errors) // 2] < 0.02 and sum(errors) / len(errors) < 0.05


def test_equal_tags_cannot_be_told_apart():
    """Con la misma etiqueta para todas, las figuras de una imagen se mezclan: manda la etiqueta."""
    config = FigureConfig(96, 2, 2, sides=(38.0, 44.0))
    batch = make_figures(10, torch.Generator().manual_seed(1), config)

    def error(found):
        rows = zip(found.owners, found.keypoints, strict=True)
        each = [(batch.keypoints[i] - pose).norm(dim=-1).mean(-1).min().item() for i, pose in rows]
        return sum(each) / len(each)

    mixed = group_poses(perfect_maps(batch, tag=lambda m: 0.0))
    assert error(mixed) > 3 * error(group_poses(perfect_maps(batch)))


def test_groups_start_when_nobody_is_near():
    candidates = [[(0.9, 0.0), (0.8, 5.0)], [(0.9, 5.2), (0.7, 0.1)], [(0.9, 9.0)]]
    groups = group_by_tags(candidates)
    assert {tuple(sorted(group.items())) for group in groups} == {
        ((0, 0), (1, 1)),
        ((0, 1), (1, 0)),
        ((2, 0),),
    }


def test_a_figure_has_each_joint_once():
    groups = group_by_tags([[(0.9, 0.0), (0.8, 0.1)], [(0.9, 0.05)]])
    assert len(groups) == 2 and sum(len(group) for group in groups) == 3


def test_peaks_are_local_and_sorted():
    heat = torch.zeros(1, 8, 8)
    heat[0, 2, 2], heat[0, 2, 3], heat[0, 6, 6] = 0.9, 0.8, 0.5
    heights, places = local_peaks(heat, 3)
    assert heights[0].tolist() == pytest.approx([0.9, 0.5, 0.0])
    assert places[0, :2].tolist() == [2 * 8 + 2, 6 * 8 + 6]


def test_cold_maps_say_nobody():
    cold = KeypointMaps(torch.full((2, 13, 16, 16), -6.0), torch.zeros(2, 13, 16, 16))
    found = group_poses(cold)
    assert len(found.owners) == 0 and found.keypoints.shape == (0, 13, 2)


def test_the_loss_by_loops():
    """Dos figuras en una imagen y una en la otra, con cualquier cosa en su sitio libre."""
    g = torch.Generator().manual_seed(0)
    n_joints, side = 3, 8
    cells = torch.randint(side, (2, 2, n_joints, 2), generator=g)
    keypoints = (cells + 0.4) / side
    keypoints[0, 1] = keypoints[0, 0] + 0.01  # las dos campanas se pisan
    heat = torch.randn(2, n_joints, side, side, generator=g)
    tags = torch.randn(2, n_joints, side, side, generator=g)
    counts = torch.tensor([2, 1])
    total, pulls, pushes = 0.0, [], []
    for i in range(2):
        for k, y, x in itertools.product(range(n_joints), range(side), range(side)):
            target = max(
                float(heatmaps(keypoints[i, m, k], side)[y, x]) for m in range(int(counts[i]))
            )
            chance = 1 / (1 + math.exp(-float(heat[i, k, y, x])))
            total -= target * math.log(chance) + (1 - target) * math.log(1 - chance)
        means = []
        for m in range(int(counts[i])):
            row = [
                float(tags[i, k, int(y * side), int(x * side)])
                for k, (x, y) in enumerate(keypoints[i, m].tolist())
            ]
            means.append(sum(row) / n_joints)
            pulls.append(sum((tag - means[-1]) ** 2 for tag in row) / n_joints)
        pushes += [math.exp(-0.5 * (a - b) ** 2) for a, b in itertools.permutations(means, 2)]
    wanted = total / (3 * n_joints)
    wanted += TAG_WEIGHT * (sum(pulls) / len(pulls) + sum(pushes) / len(pushes))
    batch = (torch.zeros(2, 3, 16, 16), keypoints, None, None, None, counts)
    found = bottom_up_loss(Says(KeypointMaps(heat, tags)), batch)
    assert float(found) == pytest.approx(wanted, rel=1e-4)


def test_the_trunk_goes_first():
    """Los hombros, y después la cabeza, que queda fuera; al revés, quedaría un hombro."""
    assert sorted(ORDER) == list(range(13))
    groups = group_by_tags([[(0.9, 0.9)], [(0.9, 0.0)], [(0.9, -0.6)]])
    assert groups == [{1: 0, 2: 0}, {0: 0}]


def test_between_equals_the_hottest_is_chosen():
    groups = group_by_tags([[], [(0.9, 0.0)], [(0.3, 0.5), (0.8, -0.5)]])
    assert groups[0] == {1: 0, 2: 1}


def test_a_figure_is_known_by_its_average_tag():
    """La media de 0 y 0,8 es 0,4: a 1,2 le falta menos de uno hasta ella y más hasta la primera."""
    candidates = [[] for _ in range(13)]
    for joint, tag in ((1, 0.0), (2, 0.8), (7, 1.2)):
        candidates[joint] = [(0.9, tag)]
    assert group_by_tags(candidates) == [{1: 0, 2: 0, 7: 0}]


def one_figure(n_hot):
    """Los mapas de una figura con `n_hot` articulaciones encontradas, cada una en su fila."""
    heat = torch.full((1, 13, 16, 16), -9.0)
    for joint in range(n_hot):
        heat[0, joint, joint, 5] = 2.0
    return KeypointMaps(heat, torch.zeros_like(heat))


def test_a_few_loose_joints_are_not_a_figure():
    assert len(group_poses(one_figure(MIN_JOINTS - 1)).owners) == 0
    found = group_poses(one_figure(MIN_JOINTS))
    rows = (torch.arange(MIN_JOINTS) + 0.5) / 16
    torch.testing.assert_close(found.keypoints[0, :MIN_JOINTS, 1], rows)


def test_a_missing_joint_goes_where_the_tag_is_alike():
    """Dos sitios templados: el más caliente tiene la etiqueta de otra figura."""
    maps = one_figure(12)
    warm = torch.tensor([MIN_HEAT - 0.05, MIN_HEAT - 0.01]).logit()
    maps.heat[0, 12, 3, 9], maps.heat[0, 12, 10, 2] = warm
    maps.tags[0, 12] = 4.0
    maps.tags[0, 12, 3, 9] = 0.1
    found = group_poses(maps)
    torch.testing.assert_close(found.keypoints[0, 12], torch.tensor([9.5, 3.5]) / 16)
    heights = [1 / (1 + math.exp(-2.0))] * 12 + [MIN_HEAT - 0.05]
    assert float(found.scores) == pytest.approx(sum(heights) / 13, rel=1e-5)
