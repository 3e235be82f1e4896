"""El cargador de Common Voice, en una carpeta diminuta con su mismo formato."""

import pytest
import soundfile
import torch

from tfcourse.audio.signals import tone
from tfcourse.datasets.folders.common_voice import common_voice


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "clips").mkdir()
    lines = ["client_id\tpath\tsentence\tup_votes"]
    for place, (who, text) in enumerate(
        [("ana", "Buenos días."), ("luis", '"No", dijo.'), ("ana", "Adiós.")]
    ):
        soundfile.write(tmp_path / "clips" / f"{place}.mp3", tone(300, 0.5, 32_000).numpy(), 32_000)
        lines.append(f"{who}\t{place}.mp3\t{text}\t2")
    (tmp_path / "test.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_it_reads_sound_text_and_voice(folder):
    found = list(common_voice("test", folder=folder))
    assert [one.text for one in found] == ["Buenos días.", '"No", dijo.', "Adiós."]
    assert [one.voice for one in found] == ["ana", "luis", "ana"]
    assert all(abs(len(one.wave) - 8_000) < 1_500 for one in found)  # 16 000 Hz; el MP3 redondea
    assert float(found[0].wave.abs().max()) > 0.3 and torch.isfinite(found[0].wave).all()
    assert len(list(common_voice("test", folder=folder, limit=2))) == 2


def test_what_is_missing_is_explained(folder, monkeypatch):
    monkeypatch.delenv("TFCOURSE_COMMON_VOICE", raising=False)
    with pytest.raises(FileNotFoundError, match="falta Common Voice en español"):
        list(common_voice("test"))
    (folder / "clips" / "1.mp3").unlink()
    with pytest.raises(FileNotFoundError, match="no existe el archivo .*1.mp3"):
        list(common_voice("test", folder=folder))
    lines = (folder / "test.tsv").read_text(encoding="utf-8").splitlines()
    (folder / "train.tsv").write_text(lines[0] + "\nana\t0.mp3", encoding="utf-8")
    with pytest.raises(ValueError, match="train.tsv está vacía o a medias"):
        list(common_voice("train", folder=folder))
    (folder / "train.tsv").unlink()
    with pytest.raises(ValueError, match="part='todo'"):
        list(common_voice("todo", folder=folder))
    with pytest.raises(
        FileNotFoundError, match="no está .*train.tsv: descarga Common Voice en español"
    ):
        list(common_voice("train", folder=folder))
    (folder / "dev.tsv").write_text("path\tsentence\na.mp3\thola\n", encoding="utf-8")
    with pytest.raises(ValueError, match="le falta la columna 'client_id'"):
        list(common_voice("dev", folder=folder))
