"""Listas: la tabla entera, lo que de ella dice la página y una fila que se vuelve a medir."""

import pytest

from benchmarks.seq2seq_width import NAME, RATE, cells, run, settings
from tfcourse.stored.results import load_results


def scores(decoder: str, width: int, steps: int, column: str) -> list[float]:
    wanted = (decoder, width, steps)
    rows = load_results(NAME, settings())
    return [r[column] for r in rows if (r["decoder"], r["width"], r["steps"]) == wanted]


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    found = {(r["decoder"], r["width"], r["steps"], r["seed"]) for r in rows}
    assert len(found) == len(rows) == 3 * len(cells())


def test_most_of_the_gap_was_speed():
    """Con diez veces más pasos, el contexto fijo acierta lo que no acertaba."""
    assert max(scores("fijo", 64, 300, "new_2")) < 0.7
    assert min(scores("fijo", 64, 3_000, "new_2")) > 0.95
    assert max(scores("fijo", 64, 300, "new_4")) < 0.05
    assert min(scores("fijo", 64, 3_000, "new_4")) > 0.3


def test_examples_and_width_count_too():
    read, new = (scores("fijo", 64, 3_000, column) for column in ("known_4", "new_4"))
    assert all(a > b + 0.1 for a, b in zip(read, new, strict=True))
    assert max(scores("fijo", 16, 3_000, "known_4")) < 0.1
    assert max(scores("fijo", 16, 3_000, "new_2")) < 0.7 > max(scores("fijo", 16, 3_000, "new_3"))


def test_attention_does_not_notice_the_lengths_it_saw_nor_reaches_the_others():
    for n in range(1, 5):
        assert min(scores("bahdanau", 16, 3_000, f"new_{n}")) > 0.95
    assert min(scores("bahdanau", 64, 300, "new_4")) > 0.9
    for width, steps in ((16, 300), (16, 3_000), (64, 300)):
        assert max(scores("bahdanau", width, steps, "new_6")) < 0.05


def test_no_capacity_is_claimed_because_the_loss_was_still_going_down():
    attentive, fixed = (scores(name, 16, 3_000, "loss") for name in ("bahdanau", "fijo"))
    assert min(fixed) > 10 * max(attentive)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    again = run("bahdanau", 64, 300, RATE, seed=1)
    assert again["new_4"] > 0.85 and again["new_6"] < 0.2
