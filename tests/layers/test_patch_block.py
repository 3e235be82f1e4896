"""El bloque que convierte un parche en un vector: cuentas, lugar y errores."""

import math

import pytest
import torch
import torch.nn.functional as F

from tfcourse.layers.image.patch_block import GROUPS, ResidualPatchEmbedding


def group_norm(x, weight, bias):
    """Norma por grupos, escrita aparte."""
    n, c, h, w = x.shape
    cells = x.reshape(n, GROUPS, -1)
    mean, var = cells.mean(-1, keepdim=True), cells.var(-1, keepdim=True, correction=0)
    x = ((cells - mean) / (var + 1e-5).sqrt()).reshape(n, c, h, w)
    return x * weight[:, None, None] + bias[:, None, None]


def test_step_by_step():
    torch.manual_seed(0)
    layer = ResidualPatchEmbedding(3, 16, (2, 2), 8).double()
    patches = torch.rand(4, 3, 16, 16, dtype=torch.float64)
    x = F.conv2d((patches * 2 - 1) / 4, layer.root.weight, layer.root.bias, stride=2, padding=1)
    y = x
    for norm, conv in ((layer.block[0], layer.block[2]), (layer.block[3], layer.block[5])):
        y = group_norm(y, norm.weight, norm.bias)
        y = 0.5 * y * (1 + torch.erf(y / math.sqrt(2)))
        y = F.conv2d(y, conv.weight, conv.bias, padding=1)
    x = x + y
    x = (x[..., ::2, ::2] + x[..., 1::2, ::2] + x[..., ::2, 1::2] + x[..., 1::2, 1::2]) / 4
    x = x.flatten(1) @ layer.projection.weight.T + layer.projection.bias
    for i, (row, column) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
        expected = x[i] + layer.rows.weight[row] + layer.columns.weight[column]
        torch.testing.assert_close(layer(patches)[i], expected)


def test_each_image_starts_again_at_the_corner():
    torch.manual_seed(0)
    layer, patch = ResidualPatchEmbedding(1, 8, (2, 3), 8), torch.rand(1, 1, 8, 8)
    out = layer(patch.expand(12, -1, -1, -1))
    torch.testing.assert_close(out[:6], out[6:])
    assert len(out[:6].detach().round(decimals=4).unique(dim=0)) == 6


def test_errors_in_spanish():
    layer = ResidualPatchEmbedding(3, 16, (2, 2), 8)
    with pytest.raises(ValueError, match="imágenes enteras"):
        layer(torch.rand(3, 3, 16, 16))
    with pytest.raises(ValueError, match="scene_patches"):
        layer(torch.rand(4, 3, 8, 8))
