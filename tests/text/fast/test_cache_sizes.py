"""Las cuentas de la caché: a mano, y contra la caché que usa el modelo."""

import pytest
import torch

from tfcourse.layers.cache import KVCache
from tfcourse.text.fast.cache_sizes import PUBLISHED, CachedModel, cache_bytes


@pytest.mark.parametrize(
    ("name", "kilobytes"),
    [("GPT-3", 4718.592), ("LLaMA 7B", 524.288), ("Llama 3.1 8B", 131.072), ("Falcon 7B", 8.192),
     ("DeepSeek-V3", 70.272)],
)  # fmt: skip
def test_bytes_per_token_by_hand(name, kilobytes):
    model = next(model for model in PUBLISHED if model.name == name)
    assert cache_bytes(model, 1) == round(1000 * kilobytes)
    assert cache_bytes(model, 1000) == 1000 * cache_bytes(model, 1)  # sin ventana, en línea recta


def test_windowed_layers_stop_growing():
    model = next(model for model in PUBLISHED if model.n_windowed)
    slope = cache_bytes(model, 5000) - cache_bytes(model, 4999)
    assert slope == cache_bytes(model, 1) // 2  # la mitad de sus capas son de ventana
    assert cache_bytes(model, model.window) == model.window * cache_bytes(model, 1)


def test_it_is_what_the_cache_really_takes():
    cache, heads = KVCache(n_layers=3, capacity=10), torch.zeros(1, 4, 10, 8)
    for layer in cache.layers:
        layer.extend(heads, heads)
    model = CachedModel("de juguete", "MHA", 3, 2 * 4 * 8, "esta prueba")
    assert cache.nbytes() == cache_bytes(model, 10, bytes_per_number=4)


def test_every_size_says_where_it_comes_from():
    assert all(model.source and model.per_layer > 0 for model in PUBLISHED)
