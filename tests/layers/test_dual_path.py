"""Doble camino: trocear y juntar es exacto, y cada camino solo mezcla lo suyo."""

import pytest
import torch

from tfcourse.layers.positions import sinusoidal_positions
from tfcourse.layers.sound.dual_path import DualPathBlock, PathTransformer, along, chunked, rejoined


@pytest.mark.parametrize("length", [1, 3, 4, 7, 8, 9, 33])
@pytest.mark.parametrize("size", [2, 4, 8])
def test_chunks_put_together_are_the_sequence(length, size):
    x = torch.randn(2, length, 3, dtype=torch.float64)
    assert torch.equal(rejoined(chunked(x, size), length), x)


def test_chunks_by_hand():
    x = torch.arange(1.0, 6.0).view(1, 5, 1)
    rows = chunked(x, 4)[0, :, :, 0].tolist()
    assert rows == [[0, 0, 1, 2], [1, 2, 3, 4], [3, 4, 5, 0], [5, 0, 0, 0]]


def test_every_vector_falls_in_two_chunks():
    places = torch.arange(1.0, 12.0).view(1, 11, 1)
    found = chunked(places, 6).flatten().long()
    assert found.bincount()[1:].tolist() == [2] * 11


def block(**changes):
    torch.manual_seed(0)
    sizes = {"d_model": 8, "n_heads": 2, "d_hidden": 12, "n_intra": 1, "n_inter": 2} | changes
    return DualPathBlock(**sizes).double()


def test_the_block_is_that_of_the_loops():
    dual, chunks = block(), torch.randn(2, 5, 4, 8, dtype=torch.float64)
    inside = torch.empty_like(chunks)
    for clip in range(2):
        for chunk in range(5):
            inside[clip, chunk] = dual.intra(chunks[clip, chunk][None])[0]
    found = torch.empty_like(chunks)
    for clip in range(2):
        for place in range(4):
            found[clip, :, place] = dual.inter(inside[clip, :, place][None])[0]
    torch.testing.assert_close(dual(chunks), found)


def test_a_path_adds_positions_and_a_residual():
    torch.manual_seed(0)
    path = PathTransformer(8, 2, 12, 2).double()
    x = torch.randn(3, 5, 8, dtype=torch.float64)
    y = x + sinusoidal_positions(5, 8)
    for inner in path.blocks:
        y = inner(y)
    torch.testing.assert_close(path(x), x + path.norm(y))
    moved = torch.tensor([4, 3, 2, 1, 0])
    assert not torch.allclose(path(x[:, moved]), path(x)[:, moved])  # el orden cuenta


def reach(dual, chunk=2, place=1):
    """De qué vectores depende uno: los que le mandan gradiente."""
    chunks = torch.randn(1, 5, 4, 8, dtype=torch.float64, requires_grad=True)
    dual(chunks)[0, chunk, place, 0].backward()
    return chunks.grad[0].abs().sum(-1) > 0


def test_inside_only_reaches_its_chunk_and_both_reach_all():
    inside = reach(block(n_inter=0))
    assert inside[2].all() and inside.sum() == 4
    across = reach(block(n_intra=0))
    assert across[:, 1].all() and across.sum() == 5
    assert reach(block()).all()


def test_along_does_not_mix_clips():
    dual, chunks = block(), torch.randn(2, 5, 4, 8, dtype=torch.float64)
    torch.testing.assert_close(dual(chunks)[1:], dual(chunks[1:]))
    torch.testing.assert_close(along(torch.nn.Identity(), chunks), chunks)


def test_misuse_is_explained():
    with pytest.raises(ValueError, match=r"miden 5 y tienen que medir un número par, p\. ej\. 6"):
        chunked(torch.zeros(1, 8, 2), 5)
    with pytest.raises(ValueError, match="length=9: con 3 trozos de 4 se recuperan entre 1 y 4"):
        rejoined(torch.zeros(1, 3, 4, 2), 9)
