"""El cargador de LibriMix, en una carpeta diminuta con su mismo formato."""

import numpy as np
import pytest
import soundfile
import torch

from tfcourse.audio.signals import tone
from tfcourse.datasets.folders.librimix import RemixedVoices, librimix


@pytest.fixture
def folder(tmp_path):
    """Cinco mezclas de dos voces, con sus carpetas, a 16 000 muestras por segundo y en estéreo."""
    for name in ("s1", "s2", "mix_clean", "noise"):
        (tmp_path / "train" / name).mkdir(parents=True)
    for place in range(5):
        spoken = [tone(200 + 100 * place, 0.5, 16_000), tone(1_000 + place, 0.5, 16_000)]
        spoken.append(sum(spoken))
        for name, wave in zip(("s1", "s2", "mix_clean"), spoken, strict=True):
            both = torch.stack([wave, wave], dim=1).numpy()
            soundfile.write(tmp_path / "train" / name / f"{place}-a_{place}-b.wav", both, 16_000)
    return tmp_path


def test_it_reads_the_voices_of_each_mixture(folder):
    found = list(librimix("train", folder=folder, seconds=0.4))
    assert len(found) == 5 and all(voices.shape == (2, 3_200) for voices in found)
    spectrum = torch.fft.rfft(found[2]).abs()
    assert spectrum.argmax(-1).tolist() == pytest.approx([160, 401], abs=1)
    assert len(list(librimix("train", folder=folder, limit=2))) == 2
    assert next(librimix("train", folder=folder, seconds=1.0)).shape == (2, 8_000)


def test_whole_mixtures_keep_their_length(folder):
    assert next(librimix("train", folder=folder, seconds=None)).shape == (2, 4_000)
    short = np.zeros((3_000, 2), dtype=np.float32)
    soundfile.write(folder / "train" / "s2" / "0-a_0-b.wav", short, 16_000)
    with pytest.raises(ValueError, match="usa las mezclas del modo «min»"):
        next(librimix("train", folder=folder, seconds=None))


def hertz_of(sources, seconds=0.4):
    """De qué tono es cada voz."""
    return torch.fft.rfft(sources).abs().argmax(-1) / seconds


def test_each_voice_of_a_new_mixture_comes_from_its_folder(folder):
    data = RemixedVoices("train", folder=folder, seconds=0.4)
    partners = set()
    for row in range(len(data)):
        for seed in range(4):
            torch.manual_seed(seed)
            wave, sources = data[row]
            assert wave.shape == (3_200,) and sources.shape == (2, 3_200)
            torch.testing.assert_close(wave, sources.sum(0))
            first, second = hertz_of(sources).tolist()
            assert first == pytest.approx(200 + 100 * row, abs=3) and second > 900
            torch.manual_seed(seed)
            again = data[row][1]
            assert torch.equal(again, sources)
            partners.add((row, round(float(sources[1].norm() / sources[0].norm()), 3)))
    assert len(partners) > len(data)  # el volumen cambia de una vez a otra


def test_a_short_voice_ends_in_silence(folder):
    _, sources = RemixedVoices("train", folder=folder, seconds=1.0)[0]
    assert sources.shape == (2, 8_000) and not sources[:, 4_100:].any()
    assert sources[:, :3_000].abs().amax() > 0.1


def test_what_is_missing_is_explained(folder, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"val/s1: hazlo con los guiones de .*modo «min»"):
        list(librimix("val", folder=folder))
    with pytest.raises(FileNotFoundError, match="s3"):
        list(librimix("train", n_speakers=3, folder=folder))
    (folder / "train" / "s2" / "4-a_4-b.wav").unlink()
    with pytest.raises(FileNotFoundError, match="4-a_4-b"):
        list(librimix("train", folder=folder))
    for kind in ("s1", "s2"):
        (folder / "dev" / kind).mkdir(parents=True)
    with pytest.raises(ValueError, match="no hay ningún .wav: las mezclas están a medio hacer"):
        RemixedVoices("dev", folder=folder)
    monkeypatch.delenv("TFCOURSE_LIBRIMIX", raising=False)
    with pytest.raises(FileNotFoundError, match="falta Libri2Mix"):
        list(librimix("test"))
