"""El volcado de Wikipedia: qué artículos se leen, y qué se dice si falta o está a medias."""

import bz2

import pytest

from tfcourse.datasets.folders import wikipedia
from tfcourse.datasets.folders.wikipedia import wikipedia_split, wikipedia_text, wikipedia_texts
from workshop.rehearsal.texts import N_ARTICLES, make_wikipedia

NAME = "eswiki-latest-pages-articles.xml.bz2"


def dump(folder, *pages):
    """Un volcado con esas páginas: su espacio, lo que llevan delante del texto y el texto."""
    written = "".join(
        f"<page><ns>{space}</ns>{before}<revision><text>{text}</text></revision></page>"
        for space, before, text in pages
    )
    content = f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{written}</mediawiki>'
    (folder / NAME).write_bytes(bz2.compress(content.encode()))


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(wikipedia, "MIN_CHARACTERS", 3)


def test_only_articles_are_read(tmp_path, short):
    dump(
        tmp_path,
        (0, "", "Primero."),
        (0, '<redirect title="a"/>', "Redirigido."),
        (1, "", "Discusión."),
        (0, "", "a"),
        (0, "", "Segundo, con [[enlace]]."),
        (0, "", "Tercero."),
    )
    assert list(wikipedia_texts(2, tmp_path)) == ["Primero.", "Segundo, con enlace."]
    assert len(list(wikipedia_texts(folder=tmp_path))) == 3


def test_whole_articles_are_reserved(tmp_path, monkeypatch, short):
    dump(tmp_path, *((0, "", f"Artículo {n}.") for n in range(1, 8)))
    monkeypatch.setattr(wikipedia, "RESERVED_EVERY", 3)
    train, reserved = wikipedia_split(7, tmp_path)
    assert reserved == ["Artículo 3.", "Artículo 6."]
    assert train == [f"Artículo {n}." for n in (1, 2, 4, 5, 7)]
    monkeypatch.setattr(wikipedia, "RESERVED_EVERY", 8)
    with pytest.raises(ValueError, match="solo tiene 7 artículos y hacen falta 8"):
        wikipedia_split(7, tmp_path)


def test_running_text_stops_when_there_is_enough(tmp_path, short):
    dump(tmp_path, *((0, "", f"Artículo {n}.\n\nTexto  ā.") for n in range(50)))
    assert wikipedia_text(40, tmp_path) == "Artículo 0. Texto a.\nArtículo 1. Texto a"
    with pytest.raises(ValueError, match="max_characters=0"):
        wikipedia_text(0, tmp_path)


def test_a_wrong_folder_and_half_a_dump_are_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="no está el volcado de Wikipedia: descarga allí"):
        list(wikipedia_texts(folder=tmp_path))
    make_wikipedia(tmp_path)
    whole = (tmp_path / NAME).read_bytes()
    assert len(list(wikipedia_texts(folder=tmp_path))) == N_ARTICLES
    for damaged in (whole[: len(whole) // 2], b"otra cosa", bz2.compress(b"<mediawiki><page>")):
        (tmp_path / NAME).write_bytes(damaged)
        with pytest.raises(ValueError, match="está a medias o no es un volcado de Wikipedia"):
            list(wikipedia_texts(folder=tmp_path))
