"""Vecinos, sonda y rasgos: contra cuentas a mano y contra scikit-learn."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.models.vit import ViTConfig
from tfcourse.models.vit_published import RegisteredEncoder
from tfcourse.vision.self_supervision.few_labels import (
    Tuned,
    features_of,
    linear_probe,
    neighbour_accuracy,
    neighbour_guesses,
    pixels,
    probe_accuracy,
)

SMALL = ViTConfig(1, image_size=4, d_model=16, n_heads=2, n_layers=1, d_hidden=16)


def clusters(n=30, seed=0):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(n) % 3
    centres = 3 * torch.eye(3, 6)
    return centres[labels] + torch.randn(n, 6, generator=generator), labels


def test_a_neighbour_votes_by_its_cosine():
    known = torch.tensor([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    labels = torch.tensor([1, 1, 0])
    asked = torch.tensor([[5.0, 0.1], [0.0, 0.2]])
    assert neighbour_guesses(known, labels, asked, 1).tolist() == [1, 0]
    assert neighbour_guesses(known, labels, asked, 3).tolist() == [1, 0]
    # Dos vecinos lejanos no ganan a uno que es casi igual.
    far = torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.6, -0.8]])
    assert neighbour_guesses(far, torch.tensor([0, 1, 1]), asked[:1], 3).tolist() == [0]


def test_neighbours_by_loops():
    known, labels = clusters()
    asked, _ = clusters(12, seed=1)
    wanted = []
    for row in asked:
        cosine = [float(row @ other / row.norm() / other.norm()) for other in known]
        near = sorted(range(len(known)), key=lambda i: -cosine[i])[:4]
        votes = [sum(np.exp(cosine[i] / 0.07) for i in near if labels[i] == c) for c in range(3)]
        wanted.append(int(np.argmax(votes)))
    assert neighbour_guesses(known, labels, asked, 4).tolist() == wanted
    with pytest.raises(ValueError, match="k=0 vecinos de 30"):
        neighbour_guesses(known, labels, asked, 0)


def test_the_probe_is_a_logistic_regression():
    known, labels = clusters(60)
    asked, _ = clusters(40, seed=1)
    probe = linear_probe(known, labels, decay=1e-2, steps=200)
    scaled = (known - known.mean(0)) / (known.std(0, correction=0) + 1e-3)
    # scikit-learn suma los errores y castiga la mitad del cuadrado: C = 1 / (2 · n · decay).
    rival = LogisticRegression(C=1 / (2 * 60 * 1e-2), max_iter=1_000, tol=1e-8).fit(scaled, labels)
    there = (asked - known.mean(0)) / (known.std(0, correction=0) + 1e-3)
    wanted = torch.from_numpy(rival.predict_proba(there.numpy())).float()
    torch.testing.assert_close(probe(asked).softmax(1), wanted, atol=5e-3, rtol=0)


def test_features_come_from_where_they_are_asked():
    torch.manual_seed(0)
    encoder = RegisteredEncoder(SMALL, 2)
    images = torch.rand(3, 1, 4, 4)
    with torch.no_grad():
        states = encoder.eval()(images)
    both = features_of(encoder)(images)
    torch.testing.assert_close(both[:, :16], states[:, 0])
    torch.testing.assert_close(both[:, 16:], states[:, 3:].mean(1))
    torch.testing.assert_close(features_of(encoder, "clase")(images), both[:, :16])
    torch.testing.assert_close(features_of(encoder, "media")(images), both[:, 16:])
    assert not both.requires_grad and pixels(images).shape == (3, 16)
    with pytest.raises(ValueError, match="no hay rasgos 'otros'"):
        features_of(encoder, "otros")


def test_both_measures_see_what_is_easy():
    labels = torch.arange(40) % 2
    images = torch.rand(40, 1, 4, 4, generator=torch.Generator().manual_seed(0))
    images[labels == 1, :, :2] += 2
    images[labels == 0, :, 2:] += 2
    data = LabelledImages(images, labels)
    assert neighbour_accuracy(pixels, data.take(torch.arange(20)), data) > 0.95
    assert probe_accuracy(pixels, data.take(torch.arange(20)), data) > 0.95


def test_tuning_starts_from_what_was_learnt_and_leaves_it_alone():
    torch.manual_seed(0)
    encoder = RegisteredEncoder(SMALL, 1).requires_grad_(False)
    model = Tuned(encoder, 4)
    assert model(torch.rand(2, 1, 4, 4)).shape == (2, 4)
    assert all(value.requires_grad for value in model.parameters())
    with torch.no_grad():
        for value in model.encoder.parameters():
            value.zero_()
    assert encoder.embedding.projection.weight.any()
