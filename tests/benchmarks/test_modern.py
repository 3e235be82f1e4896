"""La escalera guardada: está entera, es de estas recetas y se vuelve a medir."""

import pytest
import torch

from benchmarks import modern as table
from tfcourse.layers.experts import effective_experts
from tfcourse.stored.results import load_results

SEEDS = {0, 1, 2}


def rows():
    return load_results(table.NAME, table.settings())


def test_every_rung_has_three_seeds_and_the_same_tokens():
    for part, recipes in table.PARTS.items():
        for name in recipes:
            own = [row for row in rows() if (row["part"], row["name"]) == (part, name)]
            assert {row["seed"] for row in own} == SEEDS and len(own) == 3, (part, name)
    for name in table.LADDER:
        own = [row for row in rows() if (row["part"], row["name"]) == ("velocidad", name)]
        assert {row["seed"] for row in own} == SEEDS and len(own) == 3, name
    ladder = [row for row in rows() if row["part"] == "escalera"]
    assert len({(row["steps"], row["tokens"]) for row in ladder}) == 1


def test_what_does_not_depend_on_the_seed_is_still_so():
    for part, recipes in table.PARTS.items():
        for name, recipe in recipes.items():
            (own, *_) = [row for row in rows() if (row["part"], row["name"]) == (part, name)]
            found = table.facts(recipe, 1024)
            assert {key: own[key] for key in found} == found


def test_loads_are_shares_and_agree_with_the_experts_in_use():
    for row in (row for row in rows() if row["part"] == "colapso"):
        for load, used in zip(row["loads"], row["in_use"], strict=True):
            assert sum(load) == pytest.approx(1, abs=1e-3) and len(load) == 8
            assert effective_experts(torch.tensor(load)) == pytest.approx(used, abs=0.01)


def test_what_is_timed_does_what_it_says():
    """Los dos trabajos llegan al final, y lo que se escribe cabe en el contexto."""
    jobs = table.timed_jobs(table.LADDER["expertos"], 0, 1024)
    assert jobs.keys() == {"training", "writing"}
    for job in jobs.values():
        job()
    assert table.SPEED["prompt"] + table.SPEED["written"] <= table.LADDER["expertos"].length


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """La corta: veinte pasos del peldaño de Llama."""
    name = "SwiGLU (Llama)"
    again = table.run("corta", name, 0)
    (stored,) = [row for row in rows() if (row["part"], row["seed"]) == ("corta", 0)]
    assert again["bits"] == pytest.approx(stored["bits"], abs=0.05)
    assert again["tokens"] == stored["tokens"]
