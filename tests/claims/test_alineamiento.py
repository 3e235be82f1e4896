"""Alineamiento: lo que se afirma de las once funciones y de las cinco maneras de repartir."""

from statistics import mean

import pytest

from benchmarks.alignment import FACTORS, FEW, MANY, SHARING, settings
from tests.recipes import SEEDS, recipe, report
from tfcourse.stored.results import load_results
from tfcourse.text.alignment.contenders import (
    ALIGNMENTS,
    DISTRIBUTIONS,
    MeanAlignment,
    RescaledAlignment,
    with_softmax,
)
from tfcourse.text.alignment.recipe import (
    Recipe,
    date_weights,
    dates,
    exact_dates,
    positions_used,
    train,
)

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]
AHEAD, BEHIND = ("producto", "rasgos"), ("escalado", "general + tanh", "núcleo")


def hits(make, steps, seed):
    return exact_dates(train(Recipe(with_softmax(make), dates, steps), seed).model)


def test_the_page_recipes_run():
    """Las celdas «receta» dejan lo que la página usa."""
    chapter = recipe("1_recurrencia/alineamiento.ipynb")
    assert len(chapter["ALIGNMENTS"]) == 11
    assert (chapter["FEW"], chapter["MANY"]) == (FEW, MANY)


def test_the_stored_table_is_of_this_recipe_and_has_five_seeds():
    rows = load_results("alineamientos", settings())
    assert {row["seed"] for row in rows} == set(range(5))
    for part, names in (("igualadas", ALIGNMENTS), ("repartos", DISTRIBUTIONS)):
        found = {row["name"] for row in rows if row["part"] == part}
        assert found == set(names)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_two_groups_never_touch_after_few_steps(seed):
    found = {name: hits(ALIGNMENTS[name], FEW, seed) for name in AHEAD + BEHIND}
    found["media"] = hits(MeanAlignment, FEW, seed)
    report(seed, f"{FEW} pasos: " + ", ".join(f"{n} {h:.1%}" for n, h in found.items()))
    assert found["media"] <= 0.05
    assert min(found[n] for n in AHEAD) > max(found[n] for n in BEHIND)


@pytest.mark.parametrize("seed", SEEDS)
def test_more_steps_change_the_order(seed):
    names = ("aditiva", "escalado", "posición")
    found = {name: hits(ALIGNMENTS[name], MANY, seed) for name in names}
    early = hits(ALIGNMENTS["aditiva"], FEW, seed)
    report(
        seed,
        f"{MANY} pasos: {', '.join(f'{n} {h:.1%}' for n, h in found.items())}; aditiva, {FEW} "
        f"pasos: {early:.1%}",
    )  # fmt: skip
    assert early <= 0.35 and found["aditiva"] >= 0.8
    assert found["posición"] <= min(found["aditiva"], found["escalado"]) - 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_scale_alone_moves_the_additive(seed):
    """Seis veces más separados, los puntajes de la aditiva arrancan antes."""
    plain = hits(ALIGNMENTS["aditiva"], FEW, seed)
    wide = hits(lambda: RescaledAlignment(ALIGNMENTS["aditiva"](), 6.0), FEW, seed)
    report(seed, f"aditiva {plain:.1%}, por seis {wide:.1%}")
    assert wide > plain


@pytest.mark.parametrize("seed", SEEDS)
def test_sparse_weights_touch_few_positions(seed):
    found = {}
    for name in ("softmax", "sparsemax"):
        model = train(Recipe(lambda n=name: DISTRIBUTIONS[n](1.0), dates, SHARING), seed).model
        found[name] = exact_dates(model), positions_used(date_weights(model)[0])
    report(seed, ", ".join(f"{n}: {h:.1%}, {c:.1f} posiciones" for n, (h, c) in found.items()))
    assert found["sparsemax"][1] <= 2 and found["softmax"][1] >= 4


def test_what_the_page_says_of_sharing_out():
    rows = [row for row in load_results("alineamientos") if row["part"] == "repartos"]
    table = {
        (name, factor): [
            row["hits"] for row in rows if (row["name"], row["factor"]) == (name, factor)
        ]
        for name in DISTRIBUTIONS
        for factor in FACTORS
    }
    averages = {key: mean(values) for key, values in table.items()}
    report(0, "repartos: " + ", ".join(f"{n} ×{f:g} {h:.0%}" for (n, f), h in averages.items()))
    assert averages["softmax", 1.0] > averages["sparsemax", 1.0]
    assert averages["sparsemax", 0.25] > averages["sparsemax", 1.0] + 0.1
    assert averages["softmax", 1.0] > averages["softmax", 0.25]
