"""El registro de núcleos: todos entran donde entra `attention`, y entrenan."""

import pytest
import torch

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.kernels import KERNELS, KernelSizes, make_kernel, make_kernels
from tfcourse.metrics.time_and_memory import growth_exponent, saved_bytes

QUADRATIC = ("fórmula", "compartida")
LINEAR = [name for name in KERNELS if name not in (*QUADRATIC, "saltos", "fija")]


def sizes(length=64, budget=8):
    return KernelSizes(length, n_heads=2, d_head=8, budget=budget)


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_plugs_into_the_block_and_learns(name):
    torch.manual_seed(0)
    kernels = make_kernels(name, sizes(), 2)
    blocks = [EncoderBlock(16, 2, 32, kernel=kernel) for kernel in kernels]
    x, target = torch.randn(2, 4, 64, 16)
    model = torch.nn.Sequential(*blocks)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(8):
        loss = (model(x) - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert model(x).shape == x.shape and losses[-1] < 0.97 * losses[0]


def test_what_a_kernel_learns_belongs_to_its_layer():
    first, second = make_kernels("Linformer", sizes(), 2)
    assert first is not second
    assert "kernel.key_proj" in dict(MultiHeadAttention(16, 2, first).named_parameters())
    shared = make_kernels("compartida", sizes(), 3)
    assert shared[0] is shared[1] is not shared[2] and shared[2].n_layers == 1
    assert make_kernel("compartida", sizes()).n_layers == shared[0].n_layers == 2


@pytest.mark.parametrize(
    ("length", "budget", "n_buckets"), [(64, 8, 8), (65, 8, 8), (80, 8, 10), (64, 64, 2), (8, 8, 2)]
)
def test_each_bucket_holds_about_what_one_may_look_at(length, budget, n_buckets):
    """Tantos cubos como trozos de `budget` caben, en número par y dos por lo menos."""
    kernel = make_kernel("LSH", sizes(length, budget))
    assert kernel.n_buckets == n_buckets
    assert (kernel.chunk, kernel.rounds) == (budget, 2)  # con una ronda se pierden parejas


def kept(name, length):
    torch.manual_seed(0)
    kernel = make_kernel(name, sizes(length, budget=16))
    q, k, v = torch.randn(3, 1, 2, length, 8, requires_grad=True).unbind()
    return saved_bytes(lambda: kernel(q, k, v))


@pytest.mark.parametrize("name", KERNELS)
def test_memory_grows_as_the_theory_says(name):
    lengths = (1024, 2304, 4096)
    if name == "FNet":  # es lineal: sus gradientes no necesitan recordar nada
        assert kept(name, lengths[0]) == 0
        return
    growth = growth_exponent(lengths, [kept(name, length) for length in lengths])
    if name in QUADRATIC:
        assert growth > 1.9
    elif name in LINEAR:
        assert growth == pytest.approx(1.0, abs=0.12)
    else:
        assert growth == pytest.approx(1.45, abs=0.15)


def test_unknown_names_are_explained():
    with pytest.raises(ValueError, match="no hay ningún núcleo 'rápida'; los que hay: fórmula, "):
        make_kernel("rápida", sizes())
