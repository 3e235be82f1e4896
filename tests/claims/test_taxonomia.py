"""Taxonomía: lo que se afirma de cada casilla, con otras semillas."""

import pytest

from benchmarks.taxonomy import EVERY, settings
from tests.recipes import SEEDS, recipe, report
from tfcourse.stored.results import load_results
from tfcourse.text.alignment.recipe import exact_dates
from tfcourse.text.alignment.recipe import train as train_translator
from tfcourse.text.taxonomy import cards, positions, texts
from tfcourse.text.taxonomy.recipe import train
from tfcourse.training import Evaluation

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


def test_the_page_recipes_run():
    assert recipe("1_recurrencia/taxonomia.ipynb")["positions"] is positions


def test_the_stored_table_is_of_this_recipe_and_has_five_seeds():
    rows = load_results("taxonomia", settings())
    assert {row["seed"] for row in rows} == set(range(5))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_right_assumption_reaches_unseen_lengths(seed):
    scores = {
        name: positions.exact_lists(train_translator(positions.list_recipe(name, 1), seed).model)
        for name in ("global", "local monótona")
    }
    rows = "; ".join(f"{n} {' '.join(f'{x:.0%}' for x in row)}" for n, row in scores.items())
    report(seed, f"listas: {rows}")
    assert max(scores["global"][3:]) <= 0.1
    # Alguna semilla no aprende ni las cortas; la que las aprende llega a las largas.
    if min(scores["local monótona"][:3]) >= 0.9:
        assert min(scores["local monótona"][3:]) >= 0.5


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wrong_assumption_does_not(seed):
    found = {
        f"{name}, D = {width}": exact_dates(
            train_translator(positions.local_date_recipe(name, width), seed).model
        )
        for name, width in (("global", 4), ("local monótona", 4), ("local monótona", 8))
    }
    report(seed, "fechas: " + ", ".join(f"{n} {h:.1%}" for n, h in found.items()))
    narrow, wide = (found[f"local monótona, D = {width}"] for width in (4, 8))
    assert narrow <= 0.1 and narrow < wide < found["global, D = 4"]


@pytest.mark.parametrize("seed", SEEDS)
def test_card_games(seed):
    """Coatención y por rasgos resuelven lo que sus controles no pueden."""
    joint, alone = (
        cards.score_match(train(cards.match_recipe(j), seed).model) for j in (True, False)
    )
    mixers = [cards.score_mixer(train(cards.mixer_recipe(f), seed).model) for f in (True, False)]
    report(
        seed,
        f"coatención {joint[0]:.1%} (masa {joint[1]:.1%}), por separado {alone[0]:.1%}; "
        f"por rasgos {mixers[0]:.1%}, por posición {mixers[1]:.1%}",
    )  # fmt: skip
    assert joint[0] >= 0.85 and joint[1] >= 0.6 and alone[0] <= 0.25
    assert mixers[0] >= 0.95 and mixers[1] <= 0.45


def test_soft_learns_before_hard():
    evaluation, areas = Evaluation(cards.search_accuracy, every=EVERY), {}
    for name in cards.SEARCH_LOSSES:
        curves = [
            train(cards.search_recipe(name), seed, evaluation=evaluation).history.curve("aciertos")
            for seed in range(5, 8)
        ]
        areas[name] = sum(sum(hits) / len(hits) for _, hits in curves) / len(curves)
    report(5, "búsqueda: " + ", ".join(f"{n} {a:.1%}" for n, a in areas.items()))
    assert areas["suave"] > max(areas["dura, base móvil"], areas["dura, sin base"])


@pytest.mark.parametrize("seed", SEEDS)
def test_texts(seed):
    """La jerárquica encuentra a la intrusa, y lo desconocido se lee por sus letras."""
    readers = {
        name: texts.score_reader(train(texts.reader_recipe(name), seed).model)
        for name in ("control", "jerárquica")
    }
    _, unknown, known = texts.score_openings(
        train(texts.opening_recipe(("palabra", "letras")), seed).model
    )
    report(
        seed,
        f"intrusa: acierto {readers['jerárquica'][0]:.1%} (control {readers['control'][0]:.1%}), "
        f"masa {readers['jerárquica'][1]:.1%}; letras: {unknown:.1%} frente a {known:.1%}",
    )  # fmt: skip
    assert readers["jerárquica"][1] >= 0.75
    assert readers["jerárquica"][0] >= readers["control"][0] + 0.05
    assert unknown >= known + 0.1
