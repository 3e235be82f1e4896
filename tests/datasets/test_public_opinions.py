"""IMDB y los tuits en español: qué se lee de sus archivos, y qué se dice si están a medias."""

import io
import tarfile

import pytest

from tfcourse.datasets.folders.imdb import imdb_reviews, imdb_unlabelled
from tfcourse.datasets.folders.spanish_tweets import FILES, spanish_tweets
from workshop.rehearsal.texts import make_tweets


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


def test_imdb_reviews_without_a_grade(archive):
    assert imdb_unlabelled(archive) == ["Unknown"]


def test_half_an_imdb_archive_is_told(archive, tmp_path):
    whole = archive.read_bytes()
    half = tmp_path / "medio.tar.gz"
    half.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="no es un archivo .tar.gz entero"):
        imdb_reviews("train", half)
    empty = tmp_path / "otro.tar.gz"
    tarfile.open(empty, "w:gz").close()
    with pytest.raises(ValueError, match=r"no hay críticas en test/neg\|pos: no es el archivo"):
        imdb_reviews("test", empty)


@pytest.fixture
def tweets(tmp_path, monkeypatch):
    monkeypatch.setenv("TFCOURSE_ENSAYO", "1")
    make_tweets(tmp_path)
    return tmp_path


def test_a_tweet_a_line_and_its_class(tweets):
    (tweets / FILES["test"][0].name).write_text("hola\nadiós\x85\n", encoding="utf-8")
    (tweets / FILES["test"][1].name).write_text("2\n0\n", encoding="utf-8")
    assert spanish_tweets("test", tweets) == (["hola", "adiós\x85"], [2, 0])
    with pytest.raises(ValueError, match="'dev': usa una de train, validation, test"):
        spanish_tweets("dev", tweets)


@pytest.mark.parametrize("labels", ["2\n", "2\n3\n"])
def test_files_that_do_not_match_are_told(tweets, labels):
    (tweets / FILES["test"][0].name).write_text("hola\nadiós\n", encoding="utf-8")
    (tweets / FILES["test"][1].name).write_text(labels, encoding="utf-8")
    with pytest.raises(ValueError, match="hay 2 tuits y .* clases, que van de 0 a 2: borra"):
        spanish_tweets("test", tweets)
