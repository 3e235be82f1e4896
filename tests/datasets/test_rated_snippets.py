"""Críticas en inglés: se leen de su archivo, sin red, y se comprueba lo que trae."""

import io
import tarfile

import pytest

from tfcourse.datasets.text import rated_snippets as module


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Un archivo como el de verdad, con cinco oraciones."""
    ratings = (("Good &amp; fun", 2.5), ("Bad", -1.5), ("A film", 0.1), ("good &amp; fun", 3))
    lines = enumerate((*ratings, ("Awful", -2)))
    rows = "".join(f"{number}\t{rating}\t{text}\n" for number, (text, rating) in lines)
    path = tmp_path / "datos.tar.gz"
    with tarfile.open(path, "w:gz") as output:
        info = tarfile.TarInfo("hutto_ICWSM_2014/movieReviewSnippets_GroundTruth.txt")
        info.size = len(rows.encode())
        output.addfile(info, io.BytesIO(rows.encode()))
    monkeypatch.setattr(module, "download", lambda file: path)
    monkeypatch.setitem(module.SETS, "cine", ("movieReviewSnippets_GroundTruth.txt", 5))
    module.rated_snippets.cache_clear()
    yield
    module.rated_snippets.cache_clear()


def test_reads_text_and_rating(archive):
    first = module.rated_snippets()[0]
    assert (first.text, first.rating, first.label) == ("Good & fun", 2.5, 1)


def test_split_drops_doubtful_and_repeated(archive):
    train, test = module.binary_split(2, 1)
    assert sorted(s.text for s in train + test) == ["Awful", "Bad", "good & fun"]


def test_asking_for_too_many(archive):
    with pytest.raises(ValueError, match="se piden 3 \\+ 1 oraciones y hay 3 claras"):
        module.binary_split(3, 1)


def test_unknown_set():
    with pytest.raises(ValueError, match="no hay ningún conjunto 'libros': usa uno de cine"):
        module.rated_snippets("libros")


def test_a_changed_file_is_noticed(archive, monkeypatch):
    monkeypatch.setitem(module.SETS, "cine", ("movieReviewSnippets_GroundTruth.txt", 6))
    with pytest.raises(ValueError, match="trae 5 oraciones y se esperaban 6"):
        module.rated_snippets()
