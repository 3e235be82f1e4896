"""El cargador de LibriMix, en una carpeta diminuta con su mismo formato."""

import pytest
import soundfile
import torch

from tfcourse.audio.signals import tone
from tfcourse.datasets.librimix import librimix, librimix_batches


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


def test_batches_are_new_mixtures_of_the_same_voices(folder):
    stream = librimix_batches("train", 4, folder=folder, seconds=0.4)
    (waves, sources), (_, others) = next(stream), next(stream)
    assert waves.shape == (4, 3_200) and sources.shape == (4, 2, 3_200)
    torch.testing.assert_close(waves, sources.sum(1))
    assert not torch.equal(sources, others)
    hertz = torch.fft.rfft(sources).abs().argmax(-1) / 0.4
    assert (hertz[:, 0] < 700).all() and (hertz[:, 1] > 900).all()


def test_the_voices_change_partner_and_none_is_repeated(folder):
    kept = torch.stack(list(librimix("train", folder=folder, seconds=0.4)))
    stream = librimix_batches("train", 5, folder=folder, seconds=0.4)
    pairs = set()
    for _ in range(6):
        _, sources = next(stream)
        # De quién es cada voz: la que más se le parece, sin contar el volumen.
        likeness = torch.einsum("bst,nst->bsn", sources, kept).abs()
        owners = (likeness / kept.norm(dim=2).T).argmax(dim=2)
        assert all(sorted(column) == [0, 1, 2, 3, 4] for column in owners.T.tolist())
        pairs |= {tuple(pair) for pair in owners.tolist()}
    assert len(pairs) > 10  # sin cambiar de pareja, serían cinco


def test_what_is_missing_is_explained(folder):
    with pytest.raises(FileNotFoundError, match=r"descarga MiniLibriMix\.zip"):
        list(librimix("val", folder=folder))
    with pytest.raises(FileNotFoundError, match="s3"):
        list(librimix("train", n_speakers=3, folder=folder))
    (folder / "train" / "s2" / "4-a_4-b.wav").unlink()
    with pytest.raises(FileNotFoundError, match="4-a_4-b"):
        list(librimix("train", folder=folder))
    with pytest.raises(ValueError, match="batch_size=9: en «train» hay 4 mezclas"):
        next(librimix_batches("train", 9, folder=folder, limit=4))
