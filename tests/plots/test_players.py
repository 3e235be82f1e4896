"""Reproductores: el sonido que llevan, sus nombres, y que el sitio lo saca a un archivo."""

import base64
import io
import re
import sys
import wave as wav

import pytest
import torch

from tests.conftest import ROOT
from tfcourse.audio.signals import tone
from tfcourse.plots.players import AudioPlayer, Sound, wav_bytes

sys.path.insert(0, str(ROOT / "chapters/_sitio"))
from course_site.sounds import FOLDER, as_files

TONE = tone(440, 0.5, 8_000)


def test_the_file_holds_the_samples():
    with wav.open(io.BytesIO(wav_bytes(torch.tensor([0.0, 1.0, -1.0, 3.0]), 8_000))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 8_000)
        samples = torch.frombuffer(bytearray(file.readframes(9)), dtype=torch.int16)
    assert samples.tolist() == [0, 32_767, -32_767, 32_767]


def test_each_sound_has_a_name_and_a_control():
    player = AudioPlayer(
        Sound("un «la»", TONE, 8_000), Sound("<otro>", 0.5 * TONE, 8_000), figure="fig-la"
    )
    page = player._repr_html_()
    assert page.count('<audio controls preload="none"') == 2
    assert (
        'aria-label="un «la» (0,5 s)"' in page and "&lt;otro&gt;" in page and "<otro>" not in page
    )
    assert 'href="#fig-la"' in page and "http" not in page
    assert repr(player) == "♪ un «la» (0,5 s)\n♪ <otro> (0,5 s)"
    assert page == player._repr_html_()


def test_the_site_writes_one_file_per_sound(tmp_path):
    page = tmp_path / "chapters" / "5" / "a.html"
    page.parent.mkdir(parents=True)
    text = AudioPlayer(Sound("a", TONE, 8_000))._repr_html_() * 2
    written = as_files(tmp_path, page, text)
    (source,) = set(re.findall(r'src="([^"]+)"', written))
    assert "data:" not in written and source.startswith(f"../../{FOLDER}/")
    (file,) = (tmp_path / FOLDER).iterdir()
    assert (page.parent / source).resolve() == file.resolve()
    inside = re.search(r"base64,([^\"]+)", text)[1]
    assert file.read_bytes() == base64.b64decode(inside)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Sound("a", TONE[None], 8_000), "un solo canal"),
        (lambda: Sound(" ", TONE, 8_000), "no tiene nombre"),
        (lambda: Sound("a", torch.zeros(40_000), 8_000), "ocupa 80 kB"),
        (lambda: Sound("a", TONE, 0), "muestras por segundo"),
        (lambda: Sound("a", TONE * torch.nan, 8_000), "NaN"),
        (lambda: AudioPlayer(), "al menos uno"),
        (lambda: AudioPlayer(Sound("a", TONE, 8_000), Sound("a", TONE, 8_000)), "su propio nombre"),
    ],
)
def test_bad_sounds_are_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()
