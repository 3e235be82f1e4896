"""La receta de CLIP: de dónde parte, qué mide, que aprende y los pesos del curso."""

import json

import pytest
import torch

from tests.multimodal.pictures.pairs import few_pairs
from tfcourse.datasets.pictures.openmoji import GROUP_NAMES
from tfcourse.multimodal.pictures.clip import (
    N_TEST,
    WAYS,
    WEIGHTS,
    Recipe,
    build,
    load,
    pair_table,
    reader,
    retrieval,
    train,
    zero_shot_accuracy,
    zero_shot_logits,
)
from tfcourse.multimodal.pictures.pairs import split_named
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.training import History
from tfcourse.training.budget import Steps
from tfcourse.training.recipe import Trained
from tfcourse.weights.shipped import weights_card


def test_the_text_tower_starts_from_the_course_bert():
    masked, _ = load_bert("bert_espanol")
    table, tower = masked.bert.embedding.table.weight, build(Recipe()).text_tower
    assert torch.equal(tower.embedding.table.weight, table)
    assert tower.embedding.table.weight is not table
    first, theirs = tower.blocks[0].state_dict(), masked.bert.blocks[0].state_dict()
    assert all(torch.equal(first[name], theirs[name]) for name in theirs)
    assert len(build(Recipe(text_layers=2)).text_tower.layers()) == 2


@pytest.mark.lento
def test_it_learns_and_repeats():
    pairs, recipe = few_pairs(), Recipe(steps=25, batch_size=12)
    losses = train(recipe, 0, pairs=pairs).history.loss
    assert losses[-1] < losses[0] - 0.3
    again = train(recipe, 0, Steps(2), pairs=pairs).history.loss
    assert len(again) == 2 and again[0] == pytest.approx(losses[0], abs=1e-5)


def test_the_table_is_read_by_rows_and_by_columns():
    model, pairs = build(Recipe()).eval(), few_pairs()
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
    model, pairs = build(Recipe()).eval(), few_pairs()
    _, tokenizer = load_bert("bert_espanol")
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


def test_shipped_clip_is_as_good_as_its_card():
    model, tokenizer = load("clip_dibujos")
    card = weights_card("clip_dibujos")
    test = split_named(0, N_TEST)[1]
    for name, value in retrieval(model, test).items():
        assert value == pytest.approx(card.quality[name], abs=0.011)  # media precisión: dos de 200
    assert card.quality["al azar, 5"] == 5 / N_TEST
    assert reader(model, tokenizer)(["pez", "cara"]).shape == (2, Recipe().d_shared)


def test_the_card_says_this_recipe():
    """Lo que no pide entrenar: el tamaño, la receta, los datos, la semilla y qué se midió."""
    card, shipped = weights_card("clip_dibujos"), WEIGHTS["clip_dibujos"]
    made = Trained(build(Recipe()).eval(), Recipe(), History())
    assert card.config == shipped.config(made.model) and card.seed == shipped.seed
    assert card.recipe == json.loads(json.dumps(shipped.recipe(made))) and card.data == shipped.data
    names = retrieval(made.model, few_pairs()) | shipped.blind()
    assert card.quality.keys() == names.keys()
    assert shipped.blind().items() <= card.quality.items()
