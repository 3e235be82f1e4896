"""Recetas de dibujos y nombres: de dónde parten, qué miden y lo que dicen las tablas guardadas."""

import io

import pytest
import torch

from tfcourse import clip_recipes, pictures_table
from tfcourse.bert_recipes import shipped_bert
from tfcourse.clip_recipes import (
    WAYS,
    ClipRecipe,
    build_clip,
    pair_table,
    reader,
    retrieval,
    shipped_clip,
    trained_clip,
    zero_shot_accuracy,
    zero_shot_logits,
)
from tfcourse.datasets.pictures import GROUP_NAMES, Pictures, split_pictures
from tfcourse.mmbt_recipes import (
    MmbtRecipe,
    build_mmbt,
    group_accuracy,
    group_logits,
    split_named,
    trained_mmbt,
    words_only,
)
from tfcourse.models.mmbt import SIGHTS
from tfcourse.picture_gallery import picture_search, sprite
from tfcourse.pictures_table import known_words, recall_by_words, word_groups
from tfcourse.results import load_results
from tfcourse.shipped import weights_card


def few_pairs(n: int = 24):
    pairs = split_named(0, 200)[1]
    return type(pairs)(*(part[:n] for part in pairs.tensors()))


def pictures_called(*names: str) -> Pictures:
    return Pictures(torch.zeros(len(names), 3, 4, 4), names, names, torch.zeros(len(names)).long())


def test_the_name_enters_mmbt_without_its_first_mark():
    _, tokenizer = shipped_bert()
    pairs = few_pairs()
    tokens, lengths = words_only(pairs.tokens, pairs.lengths)
    first, last = tokenizer.token_id("[CLS]"), tokenizer.token_id("[SEP]")
    assert (pairs.tokens[:, 0] == first).all() and not (tokens == first).any()
    assert (tokens[torch.arange(len(tokens)), lengths - 1] == last).all()


def test_both_models_start_from_the_course_bert():
    masked, _ = shipped_bert()
    table = masked.bert.embedding.table.weight
    for tower in (build_mmbt("las dos").bert, build_clip().text_tower):
        assert torch.equal(tower.embedding.table.weight, table)
        assert tower.embedding.table.weight is not table
        first, theirs = tower.blocks[0].state_dict(), masked.bert.blocks[0].state_dict()
        assert all(torch.equal(first[name], theirs[name]) for name in theirs)
    assert len(build_clip(ClipRecipe(text_layers=2)).text_tower.layers()) == 2


@pytest.mark.lento
def test_recipes_learn_and_repeat():
    pairs = few_pairs()
    recipe = MmbtRecipe(steps=25, batch_size=12)
    model, history = trained_mmbt("las dos", 0, pairs, recipe)
    assert history.loss[-1] < history.loss[0]
    again = trained_mmbt("las dos", 0, pairs, recipe)[1]
    assert again.loss == history.loss
    logits = group_logits(model, pairs)
    right = (logits.argmax(1) == pairs.groups).float().mean()
    assert group_accuracy(model, pairs) == pytest.approx(float(right))
    clip, clip_history = trained_clip(0, pairs, ClipRecipe(steps=25, batch_size=12))
    assert clip_history.loss[-1] < clip_history.loss[0] - 0.3
    assert trained_clip(0, pairs, ClipRecipe(steps=2, batch_size=12))[1].loss[0] == pytest.approx(
        clip_history.loss[0], abs=1e-5
    )


def test_the_table_is_read_by_rows_and_by_columns():
    model, pairs = build_clip().eval(), few_pairs()
    table = pair_table(model, pairs)
    with torch.no_grad():
        one = model.read(pairs.tokens[3:4], pairs.lengths[3:4]) @ model.see(pairs.images[7:8]).T
    torch.testing.assert_close(table[3, 7], one[0, 0])
    scores = retrieval(model, pairs)
    first = float((table.argmax(1) == torch.arange(len(pairs))).float().mean())
    other = float((table.argmax(0) == torch.arange(len(pairs))).float().mean())
    assert scores["nombre → dibujo, 1"] == pytest.approx(first)
    assert scores["dibujo → nombre, 1"] == pytest.approx(other)


def test_ways_are_in_the_order_of_the_groups():
    assert tuple(WAYS) == GROUP_NAMES and all(len(ways) >= 5 for ways in WAYS.values())


def test_zero_shot_picks_the_closest_class():
    model, pairs = build_clip().eval(), few_pairs()
    _, tokenizer = shipped_bert()
    logits = zero_shot_logits(model, tokenizer, pairs, [["pez"], ["coche rojo"]], ["{}"])
    read = reader(model, tokenizer)
    with torch.no_grad():
        expected = model.see(pairs.images) @ read(["pez", "coche rojo"]).T
    torch.testing.assert_close(logits, expected)
    names = [[name] for name in GROUP_NAMES]
    guess = zero_shot_logits(model, tokenizer, pairs, names).argmax(1)
    kinds = sorted(set(pairs.groups.tolist()))
    shares = [float((guess[pairs.groups == k] == k).float().mean()) for k in kinds]
    balanced = zero_shot_accuracy(model, tokenizer, pairs, names)
    assert balanced == pytest.approx(sum(shares) / len(shares))
    counts = pairs.groups.bincount()
    assert counts[counts > 0].unique().numel() > 1  # con grupos desiguales, no es lo mismo


def test_known_words_by_hand():
    train = pictures_called("cara de gato", "cuadrado rojo")
    test = pictures_called("cuadrado de gato", "cuadrado verde", "sari", "la cara")
    known = known_words(train, test)
    assert known.tolist() == [1.0, 0.5, 0.0, 1.0]
    assert {k: v.tolist() for k, v in word_groups(known).items()} == {
        "todas": [True, False, False, True],
        "algunas": [False, True, False, False],
        "ninguna": [False, False, True, False],
    }
    table = torch.eye(4)
    table[1] = torch.tensor([3.0, 1.0, 2.0, 4.0])
    row = recall_by_words(table, known, k=1)
    assert row["todas, cuántos"] == 2 and row["todas, 1"] == 1.0
    assert row["algunas, cuántos"] == 1 and row["algunas, 1"] == 0.0


def test_shipped_clip_is_as_good_as_its_card():
    model, tokenizer = shipped_clip()
    card = weights_card(clip_recipes.SHIPPED)
    test = split_named(0, clip_recipes.N_TEST)[1]
    for name, value in retrieval(model, test).items():
        assert value == pytest.approx(card.quality[name], abs=0.011)  # media precisión: dos de 200
    assert card.quality["al azar, 5"] == 5 / clip_recipes.N_TEST
    assert reader(model, tokenizer)(["pez", "cara"]).shape == (2, ClipRecipe().d_shared)


def test_stored_table_is_of_this_recipe():
    rows = load_results(pictures_table.NAME, pictures_table.settings())
    seeds = {row["seed"] for row in rows}
    assert {row["seed"] for row in rows if row["task"] == "clip"} <= seeds
    for seed in seeds:
        models = {row["model"] for row in rows if row["seed"] == seed and row["task"] == "mmbt"}
        assert models == {"el grupo más frecuente", *SIGHTS, "fusión tardía"}


def test_sprite_puts_each_picture_in_its_square():
    from PIL import Image

    colours = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0]])
    sheet = Image.open(io.BytesIO(sprite(colours[:, :, None, None].expand(-1, 3, 4, 4), 3)))
    pixels = sheet.convert("RGB")
    assert pixels.size == (12, 8)
    for i, colour in enumerate(colours.tolist()):
        place = (i % 3 * 4 + 2, i // 3 * 4 + 2)
        assert pixels.getpixel(place) == tuple(round(255 * x) for x in colour)
    assert pixels.getpixel((10, 6)) == (255, 255, 255)


def test_the_gallery_has_every_name_once():
    _, tokenizer = shipped_bert()
    model = build_clip().eval()
    pictures = split_pictures(200)[1].take(torch.arange(30))
    widget = picture_search(
        model, reader(model, tokenizer), pictures, ("cara", pictures.names[0]), ("cara",)
    )
    assert widget.state["names"] == list(pictures.names)
    assert sorted(widget.state["texts"]) == sorted({"cara", *pictures.names})
    assert widget.state["examples"] == ["cara"]
