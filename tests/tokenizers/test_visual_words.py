"""Palabras visuales: k-medias como el de scikit-learn, dos pisos y lo que no cambia de color."""

import numpy as np
import pytest
import torch

from tfcourse.tokenizers.visual_words import (
    VisualWords,
    k_means,
    motion_features,
    nearest,
    spread_centers,
)


def points(n=300, size=5, seed=0):
    generator = torch.Generator().manual_seed(seed)
    blobs = 4 * torch.randn(6, size, generator=generator, dtype=torch.float64)
    return blobs[torch.arange(n) % 6] + torch.randn(
        n, size, generator=generator, dtype=torch.float64
    )


def test_k_means_equals_scikit_learn():
    sklearn = pytest.importorskip("sklearn.cluster")
    x = points()
    start = x[:6] + 0.3
    ours = k_means(x, start, rounds=100)
    theirs = sklearn.KMeans(6, init=start.numpy(), n_init=1, max_iter=100, tol=0, algorithm="lloyd")
    theirs.fit(x.numpy())
    np.testing.assert_allclose(ours.numpy(), theirs.cluster_centers_, atol=1e-10)
    np.testing.assert_array_equal(nearest(x, ours)[0].numpy(), theirs.labels_)
    assert float(nearest(x, ours)[1].sum()) == pytest.approx(theirs.inertia_)


def test_one_round_by_hand_and_an_empty_center_stays():
    x = torch.tensor([[0.0, 1.0], [1.0, 0.0], [4.0, 4.0], [5.0, 4.0]])
    centers = torch.tensor([[0.0, 0.0], [5.0, 5.0], [-9.0, 9.0]])
    moved = k_means(x, centers, rounds=1)
    torch.testing.assert_close(moved, torch.tensor([[0.5, 0.5], [4.5, 4.0], [-9.0, 9.0]]))


def test_nearest_is_the_smallest_distance():
    x, centers = points(40), points(7, seed=1)
    table = torch.cdist(x, centers)
    which, away = nearest(x, centers)
    assert torch.equal(which, table.argmin(dim=1))
    torch.testing.assert_close(away, table.min(dim=1).values.square())


def test_spread_centers_are_different_points_and_prefer_the_far_ones():
    x = torch.cat([torch.zeros(50, 2), torch.full((1, 2), 100.0)])
    for seed in range(5):
        chosen = spread_centers(x, 2, torch.Generator().manual_seed(seed))
        assert sorted(chosen[:, 0].tolist()) == [0.0, 100.0]
        three = torch.cat([x, torch.full((1, 2), -100.0)])
        chosen = spread_centers(three, 3, torch.Generator().manual_seed(seed))
        assert sorted(chosen[:, 0].tolist()) == [-100.0, 0.0, 100.0]


def test_two_floors_look_first_for_the_group():
    x = points(400).float()
    words = VisualWords.learn(x, branches=3)
    codes = words.encode(x)
    assert len(words) == 9 and set(codes.tolist()) <= set(range(9))
    for point, code in zip(x[:50], codes[:50].tolist(), strict=True):
        group = int((words.groups - point).norm(dim=1).argmin())
        word = int((words.words[group] - point).norm(dim=1).argmin())
        assert code == 3 * group + word
    assert torch.equal(words.encode(x.view(100, 4, 5)), codes.view(100, 4))
    again = VisualWords.learn(x, branches=3)
    torch.testing.assert_close(again.words, words.words)


def clip(figure, background, seed=0):
    """Un cuadrado que avanza sobre un fondo quieto."""
    video = torch.full((1, 8, 3, 16, 16), background)
    for t in range(8):
        video[0, t, :, 4:8, t : t + 4] = figure
    return video


def test_features_forget_the_background_and_the_contrast():
    one, other = (motion_features(clip(*c), 2, 8) for c in ((1.0, 0.0), (0.6, 0.2)))
    torch.testing.assert_close(one, other)
    assert one.shape == (1, 4, 2 * 8 * 8)
    assert not motion_features(torch.rand(1, 1, 3, 16, 16).repeat(1, 8, 1, 1, 1), 2, 8).any()
    assert (one[0, 0] - one[0, 3]).norm() > 0.5  # el movimiento sí cambia


def test_a_tube_reads_its_own_frames():
    video = clip(1.0, 0.0)
    before = motion_features(video, 2, 8)
    later = video.clone()
    later[0, 7] = 0.5
    changed = (motion_features(later, 2, 8) - before).abs().amax(dim=-1)[0]
    assert changed[3] > 0.05


def test_wrong_sizes_are_explained():
    with pytest.raises(ValueError, match="múltiplo de 3, y el lado, de 8"):
        motion_features(clip(1.0, 0.0), 3, 8)
    with pytest.raises(ValueError, match="4 tubos no dan para 9 palabras"):
        VisualWords.learn(torch.rand(4, 2), branches=3)
