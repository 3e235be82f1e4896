"""Los ritmos de BERT: todos prueban los mismos, y la tabla dice lo que afirma la página."""

from statistics import mean

from benchmarks.bert_rates import NAME, PER_TOPIC, settings
from tfcourse.stored.results import load_results
from tfcourse.text.bert.few_labels import RATES, STRENGTHS, chosen_runs


def test_everybody_tries_the_same_rates_with_three_seeds():
    rows = load_results(NAME, settings())
    assert len(rows) == 3 * len(PER_TOPIC) * (2 * len(STRENGTHS) + 2 * len(RATES))
    for name in {row["start"] for row in rows}:
        tried = {row["knob"] for row in rows if row["start"] == name}
        assert tried == set(STRENGTHS if name.startswith("TF-IDF") else RATES)


def test_pretraining_helps_at_either_rate():
    chosen = chosen_runs(load_results(NAME))
    names = {row["start"] for row in chosen}
    scores = {
        name: mean(row["accuracy"] for row in chosen if row["start"] == name) for name in names
    }
    assert scores["preentrenado del curso"] > scores["de cero"] + 0.1
    assert abs(scores["preentrenado del curso"] - scores["TF-IDF, lo que lee la red"]) < 0.1
