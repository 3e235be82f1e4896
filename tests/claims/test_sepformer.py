"""SepFormer: en unos segundos ya separa algo, y sin permutar los hablantes no se aprende."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("5_audio/sepformer.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_separates_voices_not_heard_and_order_matters(chapter, seed):
    runs, test = chapter["race"](seed), chapter["test"]
    found = {name: float(chapter["gains"](run.model, test).mean()) for name, run in runs.items()}
    report(seed, ", ".join(f"{name} {gain:.2f} dB" for name, gain in found.items()))
    assert found["la que mejor encaja"] > 0.6
    assert found["la que mejor encaja"] > found["siempre la misma"] + 0.4


def test_the_shipped_weights_are_between_the_two_bounds(chapter):
    found = chapter["bounds"]()
    report(0, ", ".join(f"{name} {gain:.2f} dB" for name, gain in found.items()))
    assert 4.0 < found["SepFormer del curso"] < found["máscara ideal"]
