"""La carrera de recetas profundas: la tabla entera, y una fila que se vuelve a medir."""

import pytest

from benchmarks.optimization import NAME, all_recipes, run_recipes, settings
from tfcourse.stored.results import load_results
from tfcourse.text.optimization.recipe import NORMS, OPTIMIZERS, WARMUPS, Recipe, learns


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    found = {(row["norm"], row["warmup"], row["optimizer"], row["seed"]) for row in rows}
    assert len(found) == len(rows) == len(all_recipes()) * 3
    assert {row["norm"] for row in rows} == set(NORMS)
    assert {row["warmup"] for row in rows} == set(WARMUPS)
    assert {row["optimizer"] for row in rows} == set(OPTIMIZERS)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
@pytest.mark.parametrize("recipe", [Recipe("T-Fixup"), Recipe("Pre-LN", "exponencial", "RAdam")])
def test_a_row_is_measured_again(recipe):
    """Otra máquina no da los mismos decimales, pero sí el mismo veredicto."""
    rows = load_results(NAME, settings())
    (again,) = run_recipes([recipe], [1])
    (stored,) = (
        r for r in rows if all(r[k] == again[k] for k in ("norm", "warmup", "optimizer", "seed"))
    )
    assert learns(again["loss"]) == learns(stored["loss"])
    assert again["loss"] == pytest.approx(stored["loss"], abs=0.05)
