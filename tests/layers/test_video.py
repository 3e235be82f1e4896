"""Vídeo en tokens: los tubos son los de `nn.Conv3d`, con o sin solape, y ninguno se pierde."""

import pytest
import torch
from torch import nn

from tfcourse.layers.image.patches import split_patches
from tfcourse.layers.image.video import TubeEmbedding, split_tubes


@pytest.mark.parametrize(
    ("size", "stride"), [((2, 4, 4), None), ((2, 4, 2), (2, 2, 2)), ((3, 2, 4), (1, 3, 2))]
)
def test_tubes_times_weights_are_a_3d_convolution(size, stride):
    torch.manual_seed(0)
    video = torch.randn(2, 3, 6, 8, 8, dtype=torch.float64)
    embedding = TubeEmbedding(3, size, 5, stride).double()
    theirs = nn.Conv3d(3, 5, size, stride=stride or size).double()
    with torch.no_grad():
        theirs.weight.copy_(embedding.projection.weight.view(5, 3, *size))
        theirs.bias.copy_(embedding.projection.bias)
    expected = theirs(video).flatten(2).transpose(1, 2)
    torch.testing.assert_close(embedding(video), expected, rtol=1e-12, atol=1e-12)


def test_one_frame_tubes_are_patches_frame_by_frame():
    video = torch.randn(2, 3, 4, 8, 8)
    tubes = split_tubes(video, (1, 4, 4))
    frames = [split_patches(frame, 4) for frame in video.unbind(2)]
    assert torch.equal(tubes, torch.cat(frames, dim=1))


def test_order_by_loops():
    video = torch.randn(1, 2, 4, 4, 6)
    found = split_tubes(video, (2, 2, 3))[0]
    place = 0
    for t in range(0, 4, 2):
        for y in range(0, 4, 2):
            for x in range(0, 6, 3):
                tube = video[0, :, t : t + 2, y : y + 2, x : x + 3]
                assert torch.equal(found[place], tube.flatten())
                place += 1
    assert place == len(found)


def test_a_still_video_and_its_reverse():
    """Un filtro que resta instantes no ve lo que está quieto y cambia de signo al revés."""
    torch.manual_seed(0)
    embedding = TubeEmbedding(1, (2, 2, 2), 1)
    with torch.no_grad():
        embedding.projection.weight.copy_(torch.tensor([[-1.0] * 4 + [1.0] * 4]))
        embedding.projection.bias.zero_()
    still = torch.randn(1, 1, 1, 4, 4).expand(-1, -1, 4, -1, -1)
    torch.testing.assert_close(embedding(still), torch.zeros(1, 8, 1), atol=1e-6, rtol=0)
    moving = torch.randn(1, 1, 2, 4, 4)
    torch.testing.assert_close(embedding(moving), -embedding(moving.flip(2)))


def test_errors_say_what_does_not_fit():
    with pytest.raises(ValueError, match="un vídeo de 5 fotogramas no se recorre con tubos de 2"):
        split_tubes(torch.zeros(1, 1, 5, 4, 4), (2, 2, 2))
    with pytest.raises(ValueError, match="4 columnas .* tubos de 8"):
        split_tubes(torch.zeros(1, 1, 4, 4, 4), (2, 2, 8))
