"""Fechas: la tabla entera, lo que de ella dice la página y una fila que se vuelve a medir."""

import pytest

from benchmarks.seq2seq_dates import DATA, DECODERS, NAME, STEPS, run, settings
from tfcourse.stored.results import load_results

FEW, MANY = DATA
SHORT, LONG = STEPS


def scores(decoder: str, data: int, steps: int, part: str = "new") -> list[float]:
    wanted = (decoder, data, steps)
    rows = load_results(NAME, settings())
    return [r[part] for r in rows if (r["decoder"], r["data"], r["steps"]) == wanted]


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    found = {(r["decoder"], r["data"], r["steps"], r["seed"]) for r in rows}
    assert len(found) == len(rows) == len(DECODERS) * len(DATA) * len(STEPS) * 3


def test_attention_needs_neither_many_dates_nor_many_steps():
    for data in DATA:
        for steps in STEPS:
            assert min(scores("bahdanau", data, steps)) > 0.95


def test_the_fixed_context_needs_both():
    """Con muchas fechas y pocos pasos no ha aprendido; con pocas, las aprende de memoria."""
    assert max(scores("fijo", MANY, SHORT)) < 0.5 > max(scores("fijo", FEW, LONG))
    assert min(scores("fijo", MANY, LONG)) > 0.95
    for steps in STEPS:
        new, known = (scores("fijo", FEW, steps, part) for part in ("new", "known"))
        assert min(known) > 0.85 and max(new) < min(known) - 0.4
    new, known = (scores("fijo", MANY, SHORT, part) for part in ("new", "known"))
    assert all(abs(a - b) < 0.15 for a, b in zip(new, known, strict=True))


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    again = run("fijo", FEW, SHORT, seed=1)
    assert again["known"] > 0.8 and again["new"] < 0.4
