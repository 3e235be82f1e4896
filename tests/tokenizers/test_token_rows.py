"""Filas de tokens: el orden, los lugares, lo que se aprende y el relleno."""

import math

import pytest
import torch

from tfcourse.tokenizers.token_rows import (
    ACTION_PLACE,
    MAX_PLACES,
    TokenRow,
    TokenSpace,
    collate,
)
from tfcourse.tokenizers.vocabulary import Vocabulary

SPACE = TokenSpace(Vocabulary(["rojo", "azul", "un"]))


def value_token(x):
    """El token de un número, escrito aparte: palabras, y detrás la casilla."""
    y = math.copysign(math.log(100 * abs(x) + 1) / math.log(100 * 256 + 1), x)
    return len(SPACE.words) + min(1023, math.floor((y + 1) / 2 * 1024))


def test_the_ranges_do_not_overlap():
    assert len(SPACE.words) == 6 and SPACE.separator == 6 + 1024
    assert {SPACE.separator, SPACE.patch, SPACE.sound} == set(range(len(SPACE) - 3, len(SPACE)))


def test_an_episode_in_a_row_by_loops():
    seen, done = torch.randn(3, 4) * 2, [[0], [1], [1]]
    row = TokenRow()
    for values, bins in zip(seen, done, strict=True):
        row = row + SPACE.timestep(values, bins)
    ids, places, scored = [], [], []
    for values, bins in zip(seen.tolist(), done, strict=True):
        ids += [*(value_token(x) for x in values), SPACE.separator, 6 + bins[0]]
        places += [1, 2, 3, 4, ACTION_PLACE, ACTION_PLACE]
        scored += [False] * 5 + [True]
    assert (row.ids, row.places, row.scored) == (ids, places, scored)


def test_an_image_and_its_text():
    patches = torch.rand(4, 3, 16, 16)
    row = SPACE.image(patches) + SPACE.text(["un", "rojo"], 5)
    words = SPACE.words
    assert row.ids == [SPACE.patch] * 4 + words.encode(["un", "rojo"]) + [words.stop_id]
    assert row.places == [1, 2, 3, 4, 5, 6, 7]
    assert row.scored == [False] * 4 + [True] * 3
    assert len(SPACE.text(["un"], 5, stop=False)) == 1
    assert SPACE.text(["un"]).places == [1, 2]  # los lugares se cuentan desde uno
    sound = SPACE.speech(torch.rand(2, 7))
    assert sound.ids == [SPACE.sound] * 2 and sound.scored == [False] * 2


def test_padding_goes_to_the_right_and_is_not_learnt():
    long = SPACE.image(torch.rand(4, 3, 16, 16)) + SPACE.text(["un"], 5)
    short = SPACE.timestep(torch.tensor([0.5]), [1])
    batch = collate([short, long])
    assert batch.ids.shape == (2, 6)
    assert batch.ids[0, 3:].tolist() == [SPACE.words.pad_id] * 3
    assert batch.places[0].tolist() == [1, ACTION_PLACE, ACTION_PLACE, 0, 0, 0]
    assert batch.scored[0].tolist() == [False, False, True, False, False, False]
    assert torch.equal(batch.patches, long.patches[0]) and len(batch.sounds) == 0


def test_adding_does_not_change_the_parts():
    first, second = SPACE.text(["un"]), SPACE.text(["rojo"])
    assert len(first + second) == 4 and len(first) == len(second) == 2


def test_errors_in_spanish():
    with pytest.raises(ValueError, match="ninguna fila"):
        collate([])
    with pytest.raises(ValueError, match="más\\s+cortos"):
        collate([SPACE.text(["un"] * MAX_PLACES)])
    with pytest.raises(ValueError, match="no está en el vocabulario"):
        SPACE.text(["gris"])
