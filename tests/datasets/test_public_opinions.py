"""IMDB y los tuits en español: sin red se leen de mentira, y se dice cómo seguir."""

import io
import sys
import tarfile
from types import SimpleNamespace

import pytest

from tfcourse.datasets.imdb import imdb_reviews
from tfcourse.datasets.spanish_tweets import spanish_tweets


@pytest.fixture
def archive(tmp_path):
    files = {
        "aclImdb/train/pos/0_9.txt": "Very<br />good",
        "aclImdb/train/neg/0_2.txt": "Bad",
        "aclImdb/train/unsup/0_0.txt": "Unknown",
        "aclImdb/train/urls_pos.txt": "http://a",
        "aclImdb/test/pos/0_8.txt": "Fine",
        "aclImdb/README": "Read me",
    }
    path = tmp_path / "imdb.tar.gz"
    with tarfile.open(path, "w:gz") as output:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            output.addfile(info, io.BytesIO(text.encode()))
    return path


def test_imdb_keeps_only_labelled_reviews(archive):
    assert imdb_reviews("train", archive) == (["Very good", "Bad"], [1, 0])
    assert imdb_reviews("test", archive) == (["Fine"], [1])


def test_imdb_unknown_part():
    with pytest.raises(ValueError, match="no hay ninguna parte 'unsup': usa 'train' o 'test'"):
        imdb_reviews("unsup")


def test_tweets_are_asked_for_in_spanish(monkeypatch):
    asked = {}

    def load_dataset(name, language, **options):
        asked.update(name=name, language=language, **options)
        return {"text": ["hola", "adiós"], "label": [2, 0]}

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=load_dataset))
    assert spanish_tweets("test") == (["hola", "adiós"], [2, 0])
    assert asked["language"] == "spanish" and asked["split"] == "test"


def test_tweets_say_how_to_go_on(monkeypatch):
    with pytest.raises(ValueError, match="'dev': usa una de train, validation, test"):
        spanish_tweets("dev")
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ModuleNotFoundError, match="pip install datasets"):
        spanish_tweets("train")

    def offline(*_, **__):
        raise OSError("sin red")

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=offline))
    with pytest.raises(ConnectionError, match="TFCOURSE_PERFIL=rapido"):
        spanish_tweets("train")
