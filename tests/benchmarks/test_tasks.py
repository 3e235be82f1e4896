"""Las tablas de T5 están enteras: una para todas o una por tarea, y pocas etiquetas."""

from itertools import product

from benchmarks import tasks, tasks_few_labels
from tfcourse.stored.results import load_results


def test_the_table_of_sharing_is_whole():
    rows = load_results(tasks.NAME, tasks.settings())
    seeds = {row["seed"] for row in rows}
    plans = {tasks.TOGETHER: len(tasks.TASKS), tasks.APART: 1}
    found = {(r["recipe"], r["task"], r["seed"]): r["steps"] for r in rows}
    assert len(seeds) >= 3 and len(found) == len(rows)
    assert found == {
        (plan, task, seed): n * tasks.BATCHES_PER_TASK
        for (plan, n), task, seed in product(plans.items(), tasks.TASKS, seeds)
    }


def test_the_table_of_few_labels_is_whole():
    rows = load_results(tasks_few_labels.NAME, tasks_few_labels.settings())
    seeds = {row["seed"] for row in rows}
    starts = (tasks_few_labels.SCRATCH, tasks_few_labels.PRETRAINED)
    found = [(r["start"], r["n_labels"], r["steps"], r["rate"], r["seed"]) for r in rows]
    few, counted = tasks_few_labels.FEW, (tasks_few_labels.COUNTED,)
    networks = product(starts, few, tasks_few_labels.STEPS, tasks_few_labels.RATES, seeds)
    counts = product(counted, few, (0,), tasks_few_labels.STRENGTHS, seeds)
    assert len(seeds) >= 3 and sorted(found) == sorted([*networks, *counts])


def test_counting_words_tells_topics_by_their_words():
    learned = [("tema: río y mar", "agua"), ("tema: llama y brasa", "fuego")] * 3
    exam = [("tema: mar", "agua"), ("tema: brasa", "fuego"), ("tema: llama", "agua")]
    (note,) = tasks_few_labels.counted_scores(learned, 10.0, [exam])
    assert note == 2 / 3
