"""Nombres de emojis: reales, sin repetir y sin que la evaluación se cuele en el aprendizaje."""

import pytest

from tfcourse.datasets.text.emojis import emoji_names, emoji_split


def test_known_names():
    spanish = {name.english: name.spanish for name in emoji_names()}
    assert spanish["man in tuxedo"] == "hombre con esmoquin"
    assert spanish["black flag"] == "bandera negra"
    assert "Spain" not in spanish
    assert not any("skin tone" in english for english in spanish)


def test_names_are_unique_and_ordered():
    english = [name.english for name in emoji_names()]
    assert len(english) > 1_400 and english == sorted(set(english))


def test_split_is_disjoint_and_repeatable():
    train, test = emoji_split(200, seed=1)
    assert len(test) == 200 and not set(train) & set(test)
    assert set(train) | set(test) == set(emoji_names())
    assert (train, test) == emoji_split(200, seed=1) != emoji_split(200, seed=2)


@pytest.mark.parametrize("n_test", [0, 100_000])
def test_both_sides_need_names(n_test):
    with pytest.raises(ValueError, match="a cada lado"):
        emoji_split(n_test)
