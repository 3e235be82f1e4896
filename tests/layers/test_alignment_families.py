"""Las once funciones de alineamiento contra su definición, pareja a pareja y con bucles."""

import math

import pytest
import torch

from tfcourse.layers.alignment.functions import AdditiveAlignment, DotAlignment, GeneralAlignment
from tfcourse.layers.alignment.networks import DeepAlignment, FeatureAlignment, LocationAlignment
from tfcourse.layers.alignment.products import (
    ActivatedGeneralAlignment,
    BiasedGeneralAlignment,
    CosineAlignment,
    KernelAlignment,
    ScaledDotAlignment,
)

B, LQ, LK, D = 2, 3, 4, 5
ALL = {
    "coseno": CosineAlignment,
    "producto": DotAlignment,
    "escalado": ScaledDotAlignment,
    "general": lambda: GeneralAlignment(D, D),
    "sesgo": lambda: BiasedGeneralAlignment(D, D),
    "activado": lambda: ActivatedGeneralAlignment(D, D),
    "nucleo": lambda: KernelAlignment(D, 8),
    "aditivo": lambda: AdditiveAlignment(D, D, 6),
    "profundo": lambda: DeepAlignment(D, D, 6, n_hidden_layers=3),
    "posicion": lambda: LocationAlignment(D, 9),
    "rasgos": lambda: FeatureAlignment(D, D, 6),
}


def inputs(d_query=D, d_key=D, seed=0):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(B, LQ, d_query, generator=g, dtype=torch.float64)
    return q, torch.randn(B, LK, d_key, generator=g, dtype=torch.float64)


def scores_of(layer, q, k):
    return layer(q, layer.prepare_keys(k))


def pair_by_pair(q, k, score):
    rows = [[[score(x, y) for y in keys] for x in queries] for queries, keys in zip(q, k)]  # noqa: B905
    return torch.stack([torch.stack([torch.stack(row) for row in block]) for block in rows])


@pytest.mark.parametrize("name", ALL)
def test_one_signature_and_queries_never_mix(name):
    """Mismas formas para todas, y cada consulta se puntúa igual sola que acompañada."""
    torch.manual_seed(0)
    layer = ALL[name]().double()
    q, k = inputs()
    together = scores_of(layer, q, k)
    assert together.shape == (B, LQ, LK)
    torch.testing.assert_close(scores_of(layer, q[:, 1:2], k), together[:, 1:2])


@pytest.mark.parametrize("name", [n for n in ALL if n not in ("posicion", "rasgos")])
def test_keys_are_scored_one_by_one(name):
    """Salvo las dos que miran el lugar o la vecindad, permutar claves permuta puntajes."""
    torch.manual_seed(0)
    layer, order = ALL[name]().double(), torch.tensor([2, 0, 3, 1])
    q, k = inputs()
    torch.testing.assert_close(scores_of(layer, q, k[:, order]), scores_of(layer, q, k)[..., order])


def test_cosine_by_its_angle():
    layer, (q, k) = CosineAlignment(sharpness=3.0).double(), inputs()
    expected = pair_by_pair(q, k, lambda x, y: 3 * (x @ y) / (x.norm() * y.norm()))
    torch.testing.assert_close(scores_of(layer, q, k), expected)
    torch.testing.assert_close(scores_of(layer, 7 * q, 0.2 * k), expected)


def test_scaled_dot_by_pairs():
    q, k = inputs()
    expected = pair_by_pair(q, k, lambda x, y: x @ y / math.sqrt(D))
    torch.testing.assert_close(scores_of(ScaledDotAlignment(), q, k), expected)


def test_biased_and_activated_by_pairs():
    q, k = inputs(d_query=3)
    biased = BiasedGeneralAlignment(3, D).double()
    w, b = biased.query_proj.weight, biased.query_proj.bias
    torch.testing.assert_close(
        scores_of(biased, q, k), pair_by_pair(q, k, lambda x, y: y @ (w @ x + b))
    )
    activated = ActivatedGeneralAlignment(3, D).double()
    torch.nn.init.constant_(activated.bias, 0.3)
    w = activated.key_proj.weight
    torch.testing.assert_close(
        scores_of(activated, q, k), pair_by_pair(q, k, lambda x, y: torch.tanh(x @ w @ y + 0.3))
    )


def test_kernel_by_its_features_and_towards_softmax():
    torch.manual_seed(0)
    layer, (q, k) = KernelAlignment(D, 16, scale=0.5).double(), inputs()

    def features(x):
        x = 0.5 * x
        return torch.exp(layer.directions @ x - x @ x / 2) / math.sqrt(16)

    kernel = pair_by_pair(q, k, lambda x, y: features(x) @ features(y))
    torch.testing.assert_close(scores_of(layer, q, k).exp(), kernel)
    weights = scores_of(layer, q, k).softmax(-1)
    torch.testing.assert_close(weights, kernel / kernel.sum(-1, keepdim=True))
    errors = []
    for n_features in (100, 200_000):
        many = KernelAlignment(D, n_features, scale=0.5).double()
        exact = (0.25 * q @ k.transpose(1, 2)).softmax(-1)
        errors.append((scores_of(many, q, k).softmax(-1) - exact).abs().max())
    assert errors[1] < 0.02 and 3 * errors[1] < errors[0]


def test_kernel_survives_huge_vectors():
    layer, (q, k) = KernelAlignment(D, 16).double(), inputs()
    assert scores_of(layer, 50 * q, 50 * k).isfinite().all()


def test_deep_by_its_layers():
    layer, (q, k) = DeepAlignment(3, D, 6, n_hidden_layers=3).double(), inputs(d_query=3)

    def score(x, y):
        energy = torch.relu(
            layer.key_proj.weight @ y + layer.key_proj.bias + layer.query_proj.weight @ x
        )
        for hidden in layer.hidden:
            energy = torch.relu(hidden.weight @ energy + hidden.bias)
        return layer.score_proj.weight[0] @ energy + layer.score_proj.bias[0]

    assert len(layer.hidden) == 2
    torch.testing.assert_close(scores_of(layer, q, k), pair_by_pair(q, k, score))


def test_location_only_counts_the_keys():
    layer, (q, k) = LocationAlignment(D, 6).double(), inputs()
    scores = scores_of(layer, q, k)
    torch.testing.assert_close(scores, scores_of(layer, q, torch.zeros_like(k)))
    for i in range(LK):
        torch.testing.assert_close(scores[..., i], q @ layer.position_proj.weight[i])


def test_feature_by_its_windows():
    layer, (q, k) = FeatureAlignment(3, D, 6, width=3).double(), inputs(d_query=3)
    expected = torch.empty(B, LQ, LK, dtype=torch.float64)
    for b in range(B):
        for i in range(LK):
            area = k[b, max(0, i - 1) : i + 2]
            mean, deviation = area.mean(0), area.std(0, correction=0)
            inner = layer.mean_proj.weight @ mean + layer.mean_proj.bias
            inner = torch.relu(inner + layer.deviation_proj.weight @ deviation)
            for t in range(LQ):
                v = layer.area_proj.weight.T @ q[b, t]
                expected[b, t, i] = v @ inner
    torch.testing.assert_close(scores_of(layer, q, k), expected, atol=1e-6, rtol=1e-6)


def test_bad_use_is_told_in_spanish():
    q, k = inputs()
    with pytest.raises(ValueError, match="max_length=4"):
        scores_of(LocationAlignment(D, 3).double(), q, k)
    for width in (0, 4):
        with pytest.raises(ValueError, match="impar"):
            FeatureAlignment(D, D, 6, width=width)
