"""La clase de dos mil: la página dice lo medido, y una pequeña pasa por los mismos pasos."""

from unittest.mock import patch

from benchmarks.class_of_2000 import (
    IN_THE_BOX,
    NAME,
    PAGE,
    PEOPLE,
    STEPS,
    markdown,
    page,
    run_class,
    settings,
)
from tests.teaching.course import schema_version
from tfcourse.stored.results import load_results


def test_the_page_says_what_was_measured():
    rows = load_results(NAME, settings())
    counts = {row["step"]: row["count"] for row in rows}
    assert counts.keys() == STEPS.keys()
    assert counts.pop("crear") == 1 and counts.pop("recinto") == IN_THE_BOX
    assert {*counts.values()} == {PEOPLE}  # nadie se pierde en ningún paso
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, rows) == text and markdown(rows) in text


def test_a_small_class_goes_through_every_step(tmp_path):
    with patch("nbgrader.api.get_alembic_version", schema_version):
        steps = {step: count for step, count, _ in run_class(tmp_path, 9, 0)}
    wanted = dict.fromkeys(STEPS, 9) | {"crear": 1}
    assert steps == {step: count for step, count in wanted.items() if step != "recinto"}
