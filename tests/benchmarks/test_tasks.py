"""La tabla del reparto del tiempo entre tareas está entera."""

from benchmarks.tasks import NAME, TASKS, settings
from tfcourse.stored.results import load_results


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    sharing = [row for row in rows if row["experiment"] == "reparto"]
    seeds = {row["seed"] for row in rows}
    assert {(r["recipe"], r["task"], r["seed"]) for r in sharing} == {
        (recipe, task, seed)
        for recipe in ("una para todas", "una por tarea")
        for task in TASKS
        for seed in seeds
    }
