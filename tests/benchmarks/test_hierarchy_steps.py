"""La comparación a iguales pasos: la tabla está entera, y se mide fila a fila."""

from benchmarks import hierarchy_steps
from benchmarks.hierarchy_steps import NAME, RIVALS, STEPS, measure, settings
from tfcourse.stored.results import load_results


def test_the_stored_comparison_is_whole():
    rows = load_results(NAME, settings())
    cases = {(row["reader"], row["steps"], row["seed"]) for row in rows}
    assert cases == {(name, steps, seed) for name in RIVALS for steps in STEPS for seed in range(3)}
    assert len(rows) == len(cases)


def test_everybody_takes_the_same_steps(monkeypatch):
    monkeypatch.setattr(hierarchy_steps, "STEPS", (1, 2))
    taken = []

    class Reader:
        def score(self, seed):
            return 0.5

    def train(recipe, seed, budget):
        taken.append((recipe.network, budget.number))
        return Reader()

    monkeypatch.setattr(hierarchy_steps, "train", train)
    rows = list(measure([3]))
    assert taken == [(name, steps) for steps in (1, 2) for name in RIVALS]
    assert all(row["seed"] == 3 and row["accuracy"] == 0.5 for row in rows)
