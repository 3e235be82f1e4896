"""Parches: cortar y recomponer, producto de matrices igual a convolución, y errores de uso."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.layers.image.patches import (
    ConvStem,
    PatchEmbedding,
    PatchShuffle,
    join_patches,
    shuffle_patches,
    split_patches,
)
from tfcourse.models.vit import ViT, ViTConfig


def patches_by_loops(images, size):
    """Con bucles: fila de parches, columna de parches, y dentro canal, fila y columna."""
    count, channels, height, width = images.shape
    found = []
    for image in images:
        for top in range(0, height, size):
            for left in range(0, width, size):
                found.append([
                    image[c, top + i, left + j]
                    for c in range(channels) for i in range(size) for j in range(size)
                ])  # fmt: skip
    return torch.tensor(found, dtype=images.dtype).view(count, -1, channels * size * size)


@given(
    count=st.integers(1, 3), channels=st.integers(1, 4), size=st.integers(1, 4),
    rows=st.integers(1, 4), columns=st.integers(1, 4),
)  # fmt: skip
def test_cut_and_join(count, channels, size, rows, columns):
    images = torch.randn(count, channels, rows * size, columns * size)
    patches = split_patches(images, size)
    assert torch.equal(patches, patches_by_loops(images, size))
    assert torch.equal(join_patches(patches, channels, (rows, columns)), images)
    assert torch.equal(patches, F.unfold(images, size, stride=size).transpose(1, 2))


@pytest.mark.parametrize(("channels", "size", "sides"), [(1, 2, (8, 8)), (3, 4, (8, 12))])
def test_matrix_product_is_a_convolution(channels, size, sides):
    torch.manual_seed(0)
    layer = PatchEmbedding(channels, size, 10).double()
    images = torch.randn(2, channels, *sides, dtype=torch.double)
    kernel = layer.projection.weight.view(10, channels, size, size)
    expected = F.conv2d(images, kernel, layer.projection.bias, stride=size)
    found = layer(images)
    torch.testing.assert_close(found, expected.flatten(2).transpose(1, 2), atol=1e-12, rtol=0)


def test_an_embedding_sees_only_its_patch():
    layer = PatchEmbedding(1, 2, 6)
    images = torch.zeros(1, 1, 4, 4)
    touched = images.clone()
    touched[0, 0, 3, 0] = 1  # fila 1, columna 0 de parches
    changed = (layer(touched) - layer(images)).abs().sum(-1)[0] > 0
    assert changed.tolist() == [False, False, True, False]


def test_the_stem_sees_its_neighbours_and_gives_as_many_tokens():
    torch.manual_seed(0)
    for size in (2, 4, 8):
        stem = ConvStem(3, size, 32).eval()
        assert stem(torch.randn(2, 3, 16, 24)).shape == (2, 16 // size * (24 // size), 32)
    stem = ConvStem(1, 2, 16).eval()
    image = torch.randn(1, 1, 8, 8)
    touched = image.clone()
    touched[0, 0, 3, 3] += 5
    changed = ((stem(touched) - stem(image)).abs().sum(-1)[0] > 0).view(4, 4)
    assert changed[1, 1] and changed[2, 2] and changed.sum() > 1 and not changed[0].all()


def test_bad_sizes_are_explained(sin_tipos):
    with pytest.raises(ValueError, match="de 8 × 9 no se reparte en parches de 2 × 2.*8 × 8"):
        split_patches(torch.zeros(1, 1, 8, 9), 2)
    with pytest.raises(ValueError, match="parches de 0 × 0"):
        split_patches(torch.zeros(1, 1, 8, 8), 0)
    with pytest.raises(ValueError, match="llegaron 4 parches de 12 números.*2 × 3"):
        join_patches(torch.zeros(1, 4, 12), 3, (2, 3))
    with pytest.raises(ValueError, match="llegaron 4 parches de 12 números"):
        join_patches(torch.zeros(1, 4, 12), 2, (2, 2))
    with pytest.raises(ValueError, match="usa una potencia de dos, p. ej. size=4"):
        ConvStem(1, 6, 16)
    with pytest.raises(ValueError, match="no se reparte"):
        ConvStem(1, 4, 16)(torch.zeros(1, 1, 6, 8))


def test_shuffling_only_moves_patches():
    images = split_digits()[1].images[:3]
    mixed = PatchShuffle()(images)
    before, after = (split_patches(x, 2) for x in (images, mixed))
    assert not torch.equal(mixed, images) and torch.equal(mixed, shuffle_patches(images))
    for one, other in zip(before, after, strict=True):
        assert sorted(one.tolist()) == sorted(other.tolist())


def test_a_shuffled_vit_is_the_same_vit():
    """Con la tabla de posiciones barajada igual, la respuesta no cambia: una CNN no puede."""
    torch.manual_seed(0)
    images = torch.rand(4, 1, 8, 8)
    model = ViT(ViTConfig(10)).eval()
    numbers = torch.arange(16.0).repeat_interleave(4).view(1, 16, 4)
    order = split_patches(shuffle_patches(join_patches(numbers, 1, (4, 4))), 2)[0, :, 0].long()
    expected = model(images)
    with torch.no_grad():
        table = model.positions.table.weight
        table[1:] = table[1:][order].clone()
    torch.testing.assert_close(model(shuffle_patches(images)), expected, atol=1e-5, rtol=0)
