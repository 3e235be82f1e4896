"""Secuencia a secuencia: qué se aprende antes con atención, y dónde mira quien la lleva."""

from statistics import mean

import pytest
import torch

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def seq2seq():
    return recipe("1_recurrencia/secuencia_a_secuencia.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_dates_are_solved_and_the_year_is_read_where_it_is(seq2seq, seed):
    train_model, batches = seq2seq["train_model"], seq2seq["date_batches"]
    model, _ = train_model("bahdanau", batches, seq2seq["date_vocabularies"], steps=240, seed=seed)
    accuracy, mass = seq2seq["score_dates"](model)["aciertos"], seq2seq["year_mass"](model)
    report(seed, f"fechas {accuracy:.1%}, masa en el año {mass:.1%}")
    assert accuracy >= 0.99 and mass >= 0.90


@pytest.mark.parametrize("seed", SEEDS)
def test_in_three_hundred_steps_only_attention_learns_the_long_lists(seq2seq, seed):
    scores = {}
    for name in ("bahdanau", "fijo"):
        batches = seq2seq["encode_lists"](seq2seq["lists_train"])
        vocabularies = seq2seq["list_vocabularies"]
        model, _ = seq2seq["train_model"](name, batches, vocabularies, steps=300, seed=seed)
        lists = [seq2seq["lists_test"][n] for n in range(1, 7)]
        scores[name] = [seq2seq["score_list"](model, pairs) for pairs in lists]
        row = " ".join(f"{score:.1%}" for score in scores[name])
        report(seed, f"listas de 1 a 6, {name}: {row}")
    assert min(scores["bahdanau"][:4]) >= 0.90 and scores["bahdanau"][5] < 0.3
    assert scores["fijo"][0] > 0.9 > scores["fijo"][1] and max(scores["fijo"][2:]) < 0.3


def test_no_list_is_read_before_it_is_graded(seq2seq):
    read = {pair.source for pair in seq2seq["lists_train"]}
    for pairs in seq2seq["lists_test"].values():
        assert not any(pair.source in read for pair in pairs)


def test_what_is_said_of_few_dates_and_few_steps(seq2seq):
    """Lo que dice el texto, con las filas que imprime la página; el detalle, en su tabla."""
    cells = {
        key: [mean(row[part] for row in rows) for part in ("new", "known")]
        for key, rows in seq2seq["cells"].items()
    }
    attentive = [new for (_, _, decoder), (new, _) in cells.items() if decoder == "bahdanau"]
    assert min(attentive) > 0.95
    few_long, many_short, many_long = (
        cells[key] for key in ((300, 900, "fijo"), (20_000, 180, "fijo"), (20_000, 900, "fijo"))
    )
    assert few_long[1] > 0.9 and few_long[0] < 0.5
    assert max(many_short) < 0.5 and abs(many_short[0] - many_short[1]) < 0.1
    assert min(many_long) > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_the_month_is_read_in_its_name(seq2seq, seed):
    """Los dos dígitos del mes miran a su nombre, y no al día de la semana."""
    from tfcourse.datasets.text.dates import DATE_FORMATS, MONTHS, WEEKDAYS, write_date

    train_model, batches = seq2seq["train_model"], seq2seq["date_batches"]
    model, _ = train_model("bahdanau", batches, seq2seq["date_vocabularies"], steps=240, seed=seed)
    pairs = [write_date(day(n), DATE_FORMATS[0]) for n in range(0, 1_200, 29)]
    examples = seq2seq["encode_dates"](pairs)
    with torch.no_grad():
        (weights,) = model.attention_maps(*examples.tensors()[:2], examples.target[:, :-1])
    masses = {"mes": [], "semana": []}
    for row, pair in enumerate(pairs):
        looks = weights[row, 0, 5:7].mean(dim=0)
        month = next(name for name in MONTHS if f" {name} " in pair.text)
        start = pair.text.index(f" {month} ")
        masses["mes"].append(float(looks[start : start + len(month) + 2].sum()))
        week = next(name for name in WEEKDAYS if pair.text.startswith(name))
        masses["semana"].append(float(looks[: len(week)].sum()))
    found = {name: mean(values) for name, values in masses.items()}
    report(seed, f"al escribir el mes: {found}")
    assert found["mes"] > 0.5 and found["semana"] < 0.2


def day(n):
    from datetime import date, timedelta

    return date(1970, 1, 1) + timedelta(days=n)
