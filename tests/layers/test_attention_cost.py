"""La atención multicabeza cuesta lo que su núcleo, ni más operaciones ni más memoria."""

from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from tfcourse.layers.attention import MultiHeadAttention, attention, fused_attention
from tfcourse.metrics.time_and_memory import growth_exponent, saved_bytes

WIDTH, HEADS = 256, 4
MARGIN = 1.05


def ours_and_bare(length):
    """Nuestra capa y lo mismo escrito de seguido sobre `scaled_dot_product_attention`."""
    torch.manual_seed(0)
    layer = MultiHeadAttention(WIDTH, HEADS)
    x = torch.randn(2, length, WIDTH, requires_grad=True)
    projections = (layer.q_proj, layer.k_proj, layer.v_proj)

    def bare():
        heads = [
            F.linear(x, p.weight, p.bias).view(2, length, HEADS, -1).transpose(1, 2)
            for p in projections
        ]
        mixed = F.scaled_dot_product_attention(*heads)
        joined = mixed.transpose(1, 2).reshape(2, length, WIDTH)
        return F.linear(joined, layer.out_proj.weight, layer.out_proj.bias)

    return lambda: layer(x, x, x), bare


@pytest.mark.parametrize("length", [128, 512, 2048])
def test_keeps_no_more_memory_than_the_bare_kernel(length):
    ours, bare = ours_and_bare(length)
    torch.testing.assert_close(ours(), bare())
    assert saved_bytes(ours) <= MARGIN * saved_bytes(bare)


class Work(TorchDispatchMode):
    """Cuenta las operaciones que reservan memoria o mueven datos, con lo que mide su resultado.

    Las que solo miran los mismos datos de otra forma (`view`, `transpose`…) no cuestan nada.
    """

    def __init__(self):
        super().__init__()
        self.done = Counter()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if not function.is_view:
            first = result[0] if isinstance(result, tuple) else result
            self.done[function.name(), tuple(first.shape)] += 1
        return result


def work(run):
    """Lo que se hace en una ida y una vuelta, cuando ya hay gradientes a los que sumar."""
    run().sum().backward()
    with Work() as counter:
        run().sum().backward()
    return counter.done


@pytest.mark.parametrize("length", [128, 512])
def test_does_the_same_work_as_the_bare_kernel(length, sin_tipos):
    """Las mismas operaciones y del mismo tamaño: el envoltorio no copia ni calcula nada más."""
    ours, bare = map(work, ours_and_bare(length))
    assert ours == bare and sum(ours.values()) > 10


def test_formula_keeps_the_whole_matrix_and_the_fused_kernel_does_not():
    lengths = (256, 512, 1024)
    kept = {attention: [], fused_attention: []}
    for kernel, sizes in kept.items():
        for length in lengths:
            q, k, v = torch.randn(3, 1, 1, length, 16, requires_grad=True).unbind()
            sizes.append(saved_bytes(lambda kernel=kernel, q=q, k=k, v=v: kernel(q, k, v)))
    assert growth_exponent(lengths, kept[attention]) > 1.8
    assert growth_exponent(lengths, kept[fused_attention]) < 1.1
