"""Las recetas de la taxonomía: obedecen, se repiten y comparten todo menos lo que comparan."""

import pytest
import torch

from tests.text.alignment.test_recipe import flat
from tfcourse.text.taxonomy import cards, positions, texts
from tfcourse.text.taxonomy.recipe import build, train
from tfcourse.training import seed_everything
from tfcourse.training.budget import Steps

RECIPES = {
    "buscar": cards.search_recipe("suave"),
    "pareja": cards.match_recipe(joint=True),
    "rasgos": cards.mixer_recipe(per_feature=True),
    "intrusa": texts.reader_recipe("jerárquica"),
    "palabras": texts.opening_recipe(("palabra", "letras")),
}


def numbers(recipe):
    """Lo que una receta dice con números: todo menos lo que fabrica."""
    return {name: found for name, found in vars(recipe).items() if not callable(found)}


@pytest.mark.parametrize("name", RECIPES)
def test_the_budget_is_obeyed_and_the_model_moves(name):
    done = train(RECIPES[name], 0, Steps(2))
    seed_everything(0)
    start = flat(build(RECIPES[name]))
    assert len(done.history.loss) == 2 and not done.model.training
    assert not flat(done.model).equal(start)


def test_the_same_seed_gives_the_same_and_another_does_not():
    recipe = RECIPES["buscar"]
    weights = [flat(train(recipe, seed, Steps(2)).model) for seed in (0, 0, 1)]
    assert weights[0].equal(weights[1]) and not weights[0].equal(weights[2])


def test_each_training_has_its_own_baseline():
    """La línea de base guarda memoria: si se compartiera, el segundo empezaría sabiendo."""
    recipe = cards.search_recipe("dura, base móvil")
    first, second = (flat(train(recipe, 0, Steps(3)).model) for _ in range(2))
    assert first.equal(second)
    assert recipe.loss() is not recipe.loss()


@pytest.mark.parametrize(
    "recipes",
    [
        [cards.search_recipe(name) for name in cards.SEARCH_LOSSES],
        [cards.match_recipe(joint) for joint in (True, False)],
        [cards.mixer_recipe(per_feature) for per_feature in (True, False)],
        [texts.opening_recipe(use) for use in texts.USES],
    ],
)
def test_only_what_is_compared_changes(recipes):
    """Los mismos pasos, lotes y ritmo: si no, no se sabe qué se compara."""
    assert len({tuple(numbers(recipe).items()) for recipe in recipes}) == 1


def test_the_reader_with_recurrence_only_changes_its_rate():
    readers = {name: numbers(texts.reader_recipe(name)) for name in texts.READERS}
    slow, control = readers.pop("con GRU"), readers["control"]
    assert all(found == control for found in readers.values())
    assert slow == control | {"lr": control["lr"] / 2}


def test_new_games_are_not_the_known_ones():
    for name in cards.GAMES:
        known, new = (
            {tuple(row.tolist()) for row in torch.cat([t.view(len(t), -1) for t in game], 1)}
            for game in (cards.games(name), cards.games(name, new=True))
        )
        assert len(new - known) > 0.9 * len(new)


def test_evaluation_lists_are_longer_than_those_of_training():
    known = {len(pair.target) for pair in positions.short_lists()}
    new = {len(pair.target) for pair in positions.long_lists()[8]}
    assert max(known) < min(new)
    assert positions.encode_lists(positions.long_lists()[8]).source.shape[0] == 100


def test_local_attentions_share_alignment_and_window():
    for half_width in (1, 2):
        attentions = [positions.attention_maker(name, half_width)() for name in positions.NAMES]
        assert len({type(attention.alignment) for attention in attentions}) == 1
        assert {a.half_width for a in attentions[1:]} == {half_width}


def test_an_untrained_mixer_knows_nothing_and_a_short_training_helps():
    recipe = cards.mixer_recipe(per_feature=True)
    before = cards.score_mixer(build(recipe))
    after = cards.score_mixer(train(recipe, 0, Steps(80)).model)
    assert before < 0.3 and after > before + 0.3
