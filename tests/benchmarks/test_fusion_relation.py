"""La tabla de la relación: entera, lo que de ella dice la página y una fila que se repite."""

import math

import pytest
import torch

from benchmarks import fusion_relation as table
from benchmarks.fusion_relation import BY_HAND, NAME, ONLY_RELATION, PRODUCT, settings
from tfcourse.models.fusion import UNIMODAL
from tfcourse.multimodal.fusion.relation import ADDED, HEAD, RIVALS, Recipe
from tfcourse.stored.results import load_results

LEARN = tuple(name for name in RIVALS if name != ADDED)


def column(name: str, key: str = "same") -> list[float]:
    return [row[key] for row in load_results(NAME, settings()) if row["model"] == name]


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    found = {(row["model"], row["seed"]) for row in rows}
    models = {*UNIMODAL, PRODUCT, BY_HAND, *RIVALS, ONLY_RELATION}
    assert found == {(name, seed) for name in models for seed in range(3)}
    assert len(rows) == len(found)


def test_whoever_sees_one_or_only_adds_stays_at_chance():
    for name in (*UNIMODAL, ADDED, ONLY_RELATION):
        assert all(abs(loss - math.log(2)) < 0.02 for loss in column(name, "loss")), name
    assert all(abs(value - 0.5) < 0.06 for value in column(PRODUCT))
    assert min(column(ADDED, "seen") + column(ADDED, "heard")) > 0.85


def test_whoever_reads_both_learns_the_relation():
    """También la tardía con cabeza; y la regla escrita a mano no se queda atrás."""
    for name in LEARN:
        assert min(column(name)) > 0.85 and max(column(name, "loss")) < 0.4, name
        assert min(column(name, "yes_agree")) > 0.6 and max(column(name, "yes_torn")) < 0.3
    assert min(column(BY_HAND)) > 0.93


@pytest.mark.lento
def test_the_measures_run(monkeypatch):
    quick = Recipe(steps=1, batch_size=4)
    monkeypatch.setattr(table, "Recipe", lambda digits=1.0: quick)
    monkeypatch.setattr(table, "RIVALS", (HEAD,))
    monkeypatch.setattr(table, "N_TEST", 12)
    monkeypatch.setattr(table, "N_TRAIN", 12)
    rows = list(table.measure([3]))
    models = [*UNIMODAL, PRODUCT, BY_HAND, HEAD, ONLY_RELATION]
    assert [row["model"] for row in rows] == models
    assert all(row["seed"] == 3 and 0 <= row["same"] <= 1 for row in rows)
    sizes = [row["parameters"] for row in rows if row["model"] not in UNIMODAL]
    assert max(sizes) < 1.03 * min(sizes)


def test_by_hand_and_product():
    """Dos seguros de la misma cifra dicen que sí; del producto de dos «no sé» no sale nada."""
    four, nine = (torch.nn.functional.one_hot(torch.tensor([d]), 10) * 20.0 for d in (4, 9))
    unsure = torch.zeros(1, 10)
    said = [(four, unsure, torch.zeros(1, 2)), (unsure, four, torch.zeros(1, 2))]
    assert bool(table.by_hand(*said))
    assert not bool(table.by_hand(said[0], (unsure, nine, torch.zeros(1, 2))))
    assert not bool(table.product(*said))
    yes = torch.tensor([[0.0, 1.0]])
    assert bool(table.product((four, unsure, yes), (unsure, nine, yes)))


@pytest.mark.lento
def test_a_row_is_measured_again():
    """La más barata, que es también de las que no salen del azar."""
    again, name = table.run("solo imagen", seed=0), "solo imagen"
    assert again["parameters"] == column(name, "parameters")[0]
    assert math.isclose(again["same"], column(name)[0], abs_tol=0.06)
    assert math.isclose(again["loss"], column(name, "loss")[0], abs_tol=0.02)
    assert math.isclose(again["seen"], column(name, "seen")[0], abs_tol=0.1)
