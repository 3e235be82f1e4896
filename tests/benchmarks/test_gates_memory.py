"""El problema de la suma según cómo se empieza: la tabla entera, qué dice y una fila de nuevo."""

from statistics import mean

import pytest

from benchmarks.gates_memory import (
    LONGER,
    MORE_STEPS,
    NAME,
    RATES,
    STARTS,
    STEPS,
    settings,
    train_one,
)
from tfcourse.datasets.puzzles.adding import ADDING_BASELINE
from tfcourse.stored.results import load_results


def errors(start, rate, steps=STEPS):
    rows = load_results(NAME, settings())
    return [r["error"] for r in rows if (r["start"], r["rate"], r["steps"]) == (start, rate, steps)]


def best(start):
    """Los errores con el ritmo que mejor le va, en media."""
    return min((errors(start, rate) for rate in RATES), key=mean)


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    assert len(rows) == 3 * (len(STARTS) * len(RATES) + 1)
    assert len({(r["start"], r["rate"], r["steps"], r["seed"]) for r in rows}) == len(rows)
    assert {r["start"] for r in rows} == set(STARTS)


def test_who_never_leaves_the_plateau():
    stuck = ("simple, de PyTorch", "simple, ortogonal", "simple, identidad", "LSTM, de PyTorch")
    for start in stuck:
        for rate in RATES:
            assert min(errors(start, rate)) > 0.9 * ADDING_BASELINE, (start, rate)


def test_no_rate_suits_everybody():
    for start, (cell, _) in STARTS.items():
        wrong = max(RATES) if cell == "relu" else min(RATES)
        assert min(errors(start, wrong)) > 0.9 * ADDING_BASELINE, start


def test_a_simple_network_remembers_if_it_starts_at_the_identity():
    assert max(best(LONGER)) < ADDING_BASELINE / 2
    assert max(errors(LONGER, min(RATES), MORE_STEPS)) < 0.005
    assert MORE_STEPS < 4 * STEPS  # multiplica menos que la LSTM, que hace cuatro productos


def test_gates_that_start_open_need_fewer_steps():
    for start in ("LSTM, para recordar", "GRU, para recordar", "GRU, de PyTorch"):
        assert max(best(start)) < 0.005 < min(best(LONGER)), start


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """Otra máquina no da los mismos decimales, pero sí la misma meseta o la misma salida."""
    again = train_one("GRU, para recordar", max(RATES), 1)[1]
    assert again < 0.02
    assert train_one("simple, de PyTorch", min(RATES), 1)[1] > 0.9 * ADDING_BASELINE
