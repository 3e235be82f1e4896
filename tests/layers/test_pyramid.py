"""Partición blanda y claves reducidas, contra bucles y contra la atención de siempre."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.layers.image.patches import split_patches
from tfcourse.layers.image.pyramid import SpatialReductionAttention, soft_split


def test_without_overlap_they_are_the_patches():
    images = torch.rand(2, 3, 8, 12)
    assert torch.equal(soft_split(images, 4, 4, 0), split_patches(images, 4))


@pytest.mark.parametrize(("kernel", "stride", "padding"), [(3, 2, 1), (5, 3, 2)])
def test_soft_split_same_as_loops(kernel, stride, padding):
    images = torch.rand(2, 2, 7, 9)
    wide = F.pad(images, (padding,) * 4)
    cells = [
        wide[:, :, top : top + kernel, left : left + kernel].flatten(1)
        for top in range(0, wide.shape[2] - kernel + 1, stride)
        for left in range(0, wide.shape[3] - kernel + 1, stride)
    ]
    torch.testing.assert_close(soft_split(images, kernel, stride, padding), torch.stack(cells, 1))


def test_each_query_looks_at_the_reduced_map():
    torch.manual_seed(0)
    layer = SpatialReductionAttention(8, 2, 2).double()
    x = torch.randn(2, 4 * 6, 8, dtype=torch.double)
    image = x.transpose(1, 2).unflatten(-1, (4, 6))
    kernel = layer.reduction.projection.weight.view(8, 8, 2, 2)
    few = F.conv2d(image, kernel, layer.reduction.projection.bias, stride=2)
    few = F.layer_norm(few.flatten(2).transpose(1, 2), (8,))
    assert few.shape[1] == 6
    torch.testing.assert_close(layer(x, (4, 6)), layer.attention(x, few, few))


def test_a_map_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="no se reparte en parches de 2 × 2"):
        SpatialReductionAttention(4, 1, 2)(torch.rand(1, 15, 4), (3, 5))
