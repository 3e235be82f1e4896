"""Los límites de cada pieza: lo último que admite, con su valor, y lo primero que ya no."""

import math

import pytest
import torch

from tfcourse.layers.alignment.distributions import entmax
from tfcourse.layers.alignment.local import window_mask
from tfcourse.layers.alignment.networks import FeatureAlignment, LocationAlignment
from tfcourse.layers.attention import MultiHeadAttention, attention
from tfcourse.layers.cache import LayerCache
from tfcourse.layers.image.coordinate_waves import coordinate_waves
from tfcourse.layers.image.image_positions import FixedPositions, resize_positions
from tfcourse.layers.image.patches import check_patches
from tfcourse.layers.image.rollout import attention_rollout
from tfcourse.layers.image.shifted_windows import check_windows, window_shifts
from tfcourse.layers.image.video import check_tubes
from tfcourse.layers.masks import causal_mask, padding_mask, prefix_mask
from tfcourse.layers.positions import check_length
from tfcourse.layers.recurrent.depth import power_law
from tfcourse.layers.recurrent.gates import memory_biases
from tfcourse.layers.recurrent.gradients import clip_by_norm, growth_rate
from tfcourse.layers.relative import RelativeAttention
from tfcourse.layers.relative_bias import RelativeBias, relative_bucket
from tfcourse.layers.sound.dual_path import chunked, rejoined
from tfcourse.layers.sound.quantizer import gumbel_softmax
from tfcourse.layers.sound.wave_fronts import make_front

# Qué se hace, con lo último que se admite y con lo primero que no.
LIMITS = {
    "entmax: α = 1 es softmax": (lambda a: entmax(torch.ones(1, 2), alpha=a), 1.0, 0.9),
    "ventana de una clave": (lambda w: window_mask(torch.zeros(1, 1), 3, w), 0, -1),
    "posición: la longitud justa": (
        lambda n: LocationAlignment(2, 4)(torch.ones(1, 1, 2), torch.ones(1, n, 2)), 4, 5,
    ),
    "rasgos: anchura": (lambda w: FeatureAlignment(2, 2, 2, w), 1, 0),
    "rasgos: anchura impar": (lambda w: FeatureAlignment(2, 2, 2, w), 3, 2),
    "dos dimensiones": (lambda n: attention(*torch.ones(3, *[2] * n)), 2, 1),
    "una cabeza": (lambda n: MultiHeadAttention(4, n), 1, 0),
    "una cabeza relativa": (lambda n: RelativeAttention(4, n), 1, 0),
    "caché llena": (lambda n: LayerCache(4).extend(*torch.ones(2, 1, 1, n, 2)), 4, 5),
    "ondas: dos números": (lambda n: coordinate_waves(torch.ones(1, 1), n), 2, 0),
    "ondas: en parejas": (lambda n: coordinate_waves(torch.ones(1, 1), n), 4, 3),
    "rejilla: sin tokens de más": (
        lambda n: resize_positions(torch.ones(n, 2), (2, 2), (3, 3)), 4, 3,
    ),
    "rejilla: dos tokens de más": (
        lambda n: resize_positions(torch.ones(n, 2), (2, 2), (3, 3)), 6, 7,
    ),
    "rejilla: una casilla": (
        lambda n: resize_positions(torch.ones(4, 2), (2, 2), (n, n)), 1, 0,
    ),
    "posiciones fijas: todas": (
        lambda n: FixedPositions(torch.ones(n, 2))(torch.ones(1, 3, 2)), 3, 4,
    ),
    "parches de un píxel": (lambda n: check_patches((4, 6), n), 1, 0),
    "parches que caben a lo ancho": (lambda n: check_patches((4, n), 2), 6, 5),
    "parches que caben a lo alto": (lambda n: check_patches((n, 4), 2), 6, 5),
    "una capa que mirar": (lambda n: attention_rollout([torch.eye(3)[None]] * n), 1, 0),
    "residuo entero": (lambda r: attention_rollout([torch.eye(3)[None]], r), 1.0, 1.1),
    "sin residuo": (lambda r: attention_rollout([torch.eye(3)[None]], r), 0.0, -0.1),
    "ventanas de una casilla": (lambda n: check_windows((4, 4), n), 1, 0),
    "ventanas que caben": (lambda n: check_windows((n, 4), 2), 6, 5),
    "ventanas que caben a lo ancho": (lambda n: check_windows((4, n), 2), 6, 5),
    "sin desplazar": (lambda n: window_shifts((4, 4), 2, n), 0, -1),
    "desplazadas casi entera": (lambda n: window_shifts((4, 4), 2, n), 1, 2),
    "tubos de un punto": (lambda n: check_tubes((4, 4, 4), (n, 1, 1), (1, 1, 1)), 1, 0),
    "tubos que avanzan": (lambda n: check_tubes((4, 4, 4), (1, 1, 1), (n, 1, 1)), 1, 0),
    "tubos como el vídeo": (lambda n: check_tubes((4, 4, 4), (n, 4, 4), (1, 1, 1)), 4, 5),
    "todo relleno": (lambda n: padding_mask(torch.tensor([n]), 3), 0, -1),
    "nada de relleno": (lambda n: padding_mask(torch.tensor([n]), 3), 3, 4),
    "tantas claves como consultas": (lambda n: causal_mask(3, n), 3, 2),
    "sin prefijo": (lambda n: prefix_mask(n, 3), 0, -1),
    "todo prefijo": (lambda n: prefix_mask(n, 3), 3, 4),
    "la última posición": (lambda n: check_length(n, 4), 4, 5),
    "potencia: dos puntos": (lambda n: power_law([1.0, 2.0][:n], [1.0, 4.0][:n]), 2, 1),
    "potencia: positivos": (lambda y: power_law([1.0, 2.0], [1.0, y]), 0.1, 0.0),
    "memoria de dos pasos": (lambda n: memory_biases(3, n), 2, 1),
    "ritmo: dos normas": (lambda n: growth_rate([1.0, 3.0][:n]), 2, 1),
    "ritmo: primera positiva": (lambda y: growth_rate([y, 1.0]), 0.1, 0.0),
    "ritmo: última positiva": (lambda y: growth_rate([1.0, y]), 0.1, 0.0),
    "recorte positivo": (lambda n: clip_by_norm([], n), 0.1, 0.0),
    "sesgo relativo: tantas claves": (lambda n: RelativeBias(1)(3, n), 3, 2),
    "cubetas: dos por lado": (
        lambda n: relative_bucket(torch.arange(3), n_buckets=n, max_distance=9), 4, 2,
    ),
    "cubetas: pares": (
        lambda n: relative_bucket(torch.arange(3), n_buckets=n, max_distance=9), 6, 5,
    ),
    "cubetas: más lejos que las exactas": (
        lambda n: relative_bucket(torch.arange(3), n_buckets=8, max_distance=n), 3, 2,
    ),
    "trozos de dos": (lambda n: chunked(torch.ones(1, 4, 2), n), 2, 0),
    "trozos pares": (lambda n: chunked(torch.ones(1, 4, 2), n), 4, 3),
    "un vector de vuelta": (lambda n: rejoined(chunked(torch.ones(1, 4, 2), 4), n), 1, 0),
    "todos los vectores de vuelta": (
        lambda n: rejoined(chunked(torch.ones(1, 4, 2), 4), n), 4, 5,
    ),
    "temperatura positiva": (lambda t: gumbel_softmax(torch.ones(1, 2), t), 0.1, 0.0),
    "zancada positiva": (lambda n: make_front("stft", 1, 8, n), 1, 0),
    "zancada de media ventana": (lambda n: make_front("stft", 1, 8, n), 4, 8),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name, sin_tipos):
    build, last, first = LIMITS[name]
    build(last)
    with pytest.raises(ValueError):
        build(first)


def test_what_the_limits_are_worth():
    """En el límite, además de no fallar, sale lo que tiene que salir."""
    scores = torch.tensor([[0.0, 1.0, -2.0]])
    torch.testing.assert_close(entmax(scores, alpha=1.0), scores.softmax(-1))
    assert window_mask(torch.ones(1, 1), 3, 0).flatten().tolist() == [False, True, False]
    assert not padding_mask(torch.tensor([0]), 3).any()
    assert padding_mask(torch.tensor([3]), 3).all()
    assert torch.equal(prefix_mask(0, 3), causal_mask(3)) and prefix_mask(3, 3).all()
    assert power_law([1.0, 2.0], [1.0, 4.0]) == pytest.approx(2.0)
    assert memory_biases(3, 2).tolist() == [0.0, 0.0, 0.0]  # u = 1: pierde la mitad en cada paso
    assert growth_rate([1.0, 3.0]) == pytest.approx(3.0)
    x = torch.randn(1, 4, 2)
    torch.testing.assert_close(rejoined(chunked(x, 2), 4), x)
    torch.testing.assert_close(rejoined(chunked(x, 4), 1), x[:, :1])


def test_a_gradient_of_the_greatest_norm_stays_as_it_is():
    weight = torch.zeros(2, requires_grad=True)
    weight.grad = torch.tensor([3.0, 4.0])
    assert clip_by_norm([weight], 5.0) == 5.0 and weight.grad.tolist() == [3.0, 4.0]
    assert clip_by_norm([weight], 2.5) == 5.0
    torch.testing.assert_close(weight.grad, torch.tensor([1.5, 2.0]))
    assert math.isclose(clip_by_norm([torch.zeros(1, requires_grad=True)], 1.0), 0.0)
