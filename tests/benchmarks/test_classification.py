"""El estudio de las cifras: entero, y lo guardado se vuelve a medir."""

import pytest

from benchmarks.classification import NAME, PER_CLASS, accuracy_of, settings
from tfcourse.datasets.pictures.digits import few_per_class, split_digits
from tfcourse.stored.results import load_results


def test_the_stored_study_is_whole():
    rows = load_results(NAME, settings())
    assert {row["study"] for row in rows} == {"imágenes", "barajadas", "piezas", "parches"}
    seeds = {row["seed"] for row in rows}
    assert len(rows) == len(seeds) * (4 * len(PER_CLASS) + 4 + 6 + 3)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
@pytest.mark.parametrize(("name", "case"), [("CNN", 50), ("SVM", 400)])
def test_a_row_of_the_study_is_measured_again(name, case):
    train, test = split_digits()
    (stored,) = (
        row["accuracy"] for row in load_results(NAME)
        if (row["seed"], row["study"], row["model"], row["case"]) == (1, "imágenes", name, case)
    )  # fmt: skip
    found = accuracy_of(name, few_per_class(train, case // 10, 1), test, 1)
    assert found == pytest.approx(stored, abs=0.04)
