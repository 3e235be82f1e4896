"""Atención eficiente: lo que una ventana no puede ver, y lo que dice la tabla de la carrera."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.stored.results import load_results

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/atencion_eficiente.ipynb")


@pytest.fixture(scope="module")
def table():
    rows, found = load_results("carrera_de_nucleos"), {}
    for row in rows:
        found.setdefault((row["kernel"], row["times"]), []).append(row)
    assert all(len(group) >= 3 for group in found.values())
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_window_never_sees_the_far_needles(chapter, seed):
    total, near, far = chapter["finder_scores"]("ventana", seed)
    trivial = chapter["trivial"]
    report(seed, f"ventana total {total:.1%}, cerca {near:.1%}, lejos {far:.1%}; {trivial:.1%}")
    assert near >= 0.7 and far <= 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_memory_that_corrects_forgets_what_was_rewritten(chapter, seed):
    seeds = range(100 * seed, 100 * seed + 20)
    for n in (2, 4, 8, 16, 32):
        (once, corrected), (mixed, kept) = (
            chapter["mean_errors"](n, rewritten, seeds) for rewritten in (False, True)
        )
        assert mixed > 0.95 and kept < mixed - 0.4
        assert kept < corrected + 0.15 and corrected < once
    assert once > 1 and kept > 0.95  # con el doble de claves que dimensiones, nada


def column(rows, name):
    return [row[name] for row in rows]


def test_what_the_page_says_of_the_race(table):
    trivial = table["FNet", 1][0]["trivial"]
    exact, longer = (column(table["fusionada", times], "total") for times in (1, 3))
    assert sorted(exact)[1] == 1 and 0.6 < min(exact) < 0.7  # dos tercios
    assert min(longer) < 0.3 and longer.index(min(longer)) == exact.index(min(exact))
    assert max(column(table["LSH", 1], "total")) < 0.65
    for where in ("total", "near", "far"):
        assert min(column(table["LSH", 3], where)) > 0.95
        assert min(column(table["Longformer", 3], where)) > 0.99
    assert min(column(table["Longformer", 1], "total")) < 0.3
    for times in (1, 3):
        assert min(column(table["ventana", times], "near")) > 0.85
        assert max(column(table["ventana", times], "far")) < 0.15
        assert max(column(table["saltos", times], "far")) < 0.25
        performer = column(table["Performer", times], "total")
        assert trivial + 0.03 < min(performer) and max(performer) < 0.52
        for name in ("Linformer", "FNet"):
            assert max(column(table[name, times], "total")) < trivial + 0.02
    best_at_triple = [
        name for name, times in table if times == 3
        and min(column(table[name, 3], "total")) > 0.99
    ]  # fmt: skip
    assert best_at_triple == ["Longformer"]
