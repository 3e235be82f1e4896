"""La comparación de los híbridos: la tabla está entera y dice lo que dice."""

from benchmarks.hierarchy_hybrid import NAME, settings
from tfcourse.stored.results import load_results
from tfcourse.vision.hierarchy.hybrid import LEARNERS


def test_the_stored_comparison_is_whole():
    rows = load_results(NAME, settings())
    assert len(rows) == 7 * len(LEARNERS)
    mean = {n: sum(r["accuracy"] for r in rows if r["learner"] == n) / 7 for n in LEARNERS}
    assert mean["híbrido ajustado"] > mean["ViT desde cero"] + 0.01
