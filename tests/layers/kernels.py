"""Lo que comparten las pruebas de los núcleos: tensores, máscaras y cómo preguntar a quién ven."""

import torch

from tfcourse.layers.attention import attention
from tfcourse.layers.masks import padding_mask

B, H, L, D = 2, 3, 23, 8


def tensors(length=L, seed=0, heads=H):
    g = torch.Generator().manual_seed(seed)
    shape = (B, heads, length, D)
    return [torch.randn(shape, generator=g, dtype=torch.float64).requires_grad_() for _ in range(3)]


def relation(rule, length=L):
    """Máscara (L, L) escrita pareja a pareja: el cálculo independiente."""
    return torch.tensor([[bool(rule(i, j)) for j in range(length)] for i in range(length)])


def padding(length=L):
    return padding_mask(torch.tensor([length, max(1, length - 6)]), length)


def assert_same(kernel, q, k, v, rule_mask, pad=None):
    """El núcleo da lo mismo que la fórmula con una máscara L × L, también en los gradientes."""
    full = rule_mask if pad is None else rule_mask & pad
    expected = attention(q, k, v, mask=full)
    found = kernel(q, k, v, mask=pad)
    torch.testing.assert_close(found, expected)
    weight = torch.linspace(-1, 1, found.numel(), dtype=torch.float64).view_as(found)
    wanted = torch.autograd.grad((expected * weight).sum(), [q, k, v])
    given = torch.autograd.grad((found * weight).sum(), [q, k, v])
    for a, b in zip(given, wanted, strict=True):
        torch.testing.assert_close(a, b)
