"""Los clips que se mueven: parados hasta que se pide, y dichos también con palabras."""

import pytest
import torch

from tfcourse.datasets.scenes.motions import PAIRS, make_clips
from tfcourse.multimodal.video.movie import ClipMovie, strip_jpeg


def test_a_movie_waits_until_it_is_asked_and_says_what_happens():
    clips = make_clips(list(PAIRS[:2]), torch.Generator().manual_seed(0))
    captions = [" ".join(words) for words in clips.captions]
    movie = ClipMovie(clips.videos, captions)
    page = movie._repr_html_()
    assert "animation-play-state:paused" in page and 'type="checkbox"' in page
    assert "<script" not in page and "checked>" not in page
    assert all(f'aria-label="Clip: {caption}"' in page for caption in captions)
    assert repr(movie).count("▶") == 2 and len(page) < 60_000
    from torchvision.io import decode_jpeg

    strip = decode_jpeg(torch.frombuffer(bytearray(strip_jpeg(clips.videos[0])), dtype=torch.uint8))
    assert strip.shape == (3, 32, 16 * 32)
    last = strip[:, :, -32:].float() / 255
    assert (last - clips.videos[0, -1]).abs().mean() < 0.08
    with pytest.raises(ValueError, match="llegaron 2 clips y 1 frases"):
        ClipMovie(clips.videos, captions[:1])
