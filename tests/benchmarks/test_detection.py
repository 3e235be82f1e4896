"""DETR y las anclas a igual tiempo: la tabla guardada es de estas recetas y dice lo que dice."""

from benchmarks import detection
from benchmarks.detection import (
    BUDGETS,
    DIGIT_SECONDS,
    NAME,
    STEPS,
    measure,
    settings,
)
from tfcourse.stored.results import load_results
from tfcourse.vision.detection.recipe import WEIGHTS_SECONDS, WITHOUT_SEPARATING


def rows():
    return load_results(NAME, settings())


def found(step, seconds, tier="figuras"):
    wanted = tier, step, seconds
    return [r["AP"] for r in rows() if (r["tier"], r["step"], r["cpu_seconds"]) == wanted]


def test_the_stored_table_is_whole():
    """Cada semilla, con los dos tiempos y todas las recetas; y otra vez, en las cifras."""
    ladder = [row for row in rows() if row["cpu_seconds"] in BUDGETS]
    seeds = {row["seed"] for row in ladder}
    assert len(seeds) >= 3 and len(ladder) == len(seeds) * len(STEPS) * len(BUDGETS)
    digits = {(r["step"], r["seed"]) for r in rows() if r["cpu_seconds"] == DIGIT_SECONDS}
    assert digits == {(step, seed) for step in STEPS for seed in seeds}
    (long,) = (row for row in rows() if row["cpu_seconds"] == WEIGHTS_SECONDS)
    assert (long["tier"], long["step"]) == ("cifras", "+ auxiliares")


def test_what_the_table_says():
    """Con poco tiempo, las dos etapas sacan mucha ventaja; con más, se estrecha, pero queda."""
    short, long = BUDGETS
    assert min(found(WITHOUT_SEPARATING, short)) > max(found("+ auxiliares", short)) + 0.3
    assert min(found(WITHOUT_SEPARATING, long)) > max(found("+ auxiliares", long)) + 0.05
    assert min(found("+ auxiliares", long)) > 0.55


def test_what_the_table_says_of_digits():
    """Con el tiempo que le basta al de dos etapas, DETR no ha empezado a aprender."""
    assert min(found(WITHOUT_SEPARATING, DIGIT_SECONDS, "cifras")) > 0.45
    assert max(found("DETR", DIGIT_SECONDS, "cifras")) < 0.05
    assert max(found("+ auxiliares", WEIGHTS_SECONDS, "cifras")) < 0.25


def test_the_table_goes_step_by_step(monkeypatch, fake_clock):
    monkeypatch.setattr(detection, "BUDGETS", (0.05,))
    monkeypatch.setattr(detection, "DIGIT_SECONDS", 0.06)
    monkeypatch.setattr(detection, "WEIGHTS_SECONDS", 0.07)
    monkeypatch.setattr("tfcourse.vision.detection.recipe.Detector.score", lambda self: {"AP": 0.0})
    measured = list(measure([3]))
    assert [row["step"] for row in measured[:3]] == list(STEPS)
    assert {row["tier"] for row in measured} == {"figuras", "cifras"}
    assert all(row["seed"] == 3 and row["updates"] > 0 for row in measured)
    seconds = [0.05] * 3 + [0.06] * 3 + [0.07]
    assert [row["cpu_seconds"] for row in measured] == seconds
