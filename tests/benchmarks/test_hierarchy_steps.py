"""La comparación a iguales pasos: la tabla está entera, y una fila se vuelve a medir."""

import pytest

from benchmarks import hierarchy_steps
from benchmarks.hierarchy_steps import NAME, RIVALS, STEPS, measure, settings
from tfcourse.stored.results import load_results


def test_the_stored_comparison_is_whole():
    rows = load_results(NAME, settings())
    cases = {(row["reader"], row["steps"], row["seed"]) for row in rows}
    assert cases == {(name, steps, seed) for name in RIVALS for steps in STEPS for seed in range(3)}
    assert len(rows) == len(cases)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again(monkeypatch):
    monkeypatch.setattr(hierarchy_steps, "RIVALS", ("ConvNeXt",))
    (found,) = measure([1])
    (stored,) = (
        row for row in load_results(NAME) if (row["reader"], row["seed"]) == ("ConvNeXt", 1)
    )
    assert found | {"accuracy": 0} == stored | {"accuracy": 0}
    assert found["accuracy"] == pytest.approx(stored["accuracy"], abs=0.05)
