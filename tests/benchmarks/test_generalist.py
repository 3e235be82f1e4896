"""La tabla de Gato: lo guardado cumple lo que dice el capítulo, y se mide modelo a modelo."""

from types import SimpleNamespace

from benchmarks import generalist
from benchmarks.generalist import ALL, NAME, measure, settings
from tfcourse.multimodal.generalist.metrics import guess_rates
from tfcourse.multimodal.generalist.recipe import TASKS, Recipe
from tfcourse.stored.results import load_results


def test_the_stored_table_keeps_the_bar():
    rows = load_results(NAME)
    scores = {(r["trained_on"], r["seed"], r["task"]): r["score"] for r in rows}
    chance = guess_rates()
    for seed in {row["seed"] for row in rows}:
        for task in TASKS:
            assert scores[ALL, seed, task] > chance[task] + 0.3
    for task in TASKS:
        one, own = (
            [s for (n, _, t), s in scores.items() if (n, t) == key]
            for key in ((ALL, task), (task, task))
        )
        assert len(one) == len(own) and sum(one) >= 0.9 * sum(own)


def test_measuring_gives_one_row_per_model_and_task(monkeypatch):
    monkeypatch.setattr(generalist, "long_data", lambda: (None, None))
    trainings = []
    monkeypatch.setattr(
        generalist, "train",
        lambda recipe, seed, data, tasks: trainings.append(tasks) or SimpleNamespace(model=None),
    )  # fmt: skip
    monkeypatch.setattr(generalist, "task_score", lambda *_: 0.5)
    rows = list(measure([0, 1]))
    assert len(rows) == 2 * (len(TASKS) + len(TASKS))
    assert trainings[:2] == [TASKS, (TASKS[0],)] and len(trainings) == 2 * (1 + len(TASKS))
    assert {row["trained_on"] for row in rows} == {ALL, *TASKS}
    assert settings()["recipe"]["steps"] == Recipe().steps
