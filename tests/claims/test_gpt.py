"""GPT: a igual tiempo, según el ritmo guardado, la receta del curso gasta muchos menos bits."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/gpt.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_fewer_bits_in_the_same_time(chapter, seed):
    _, bits = chapter["race_gpt"](seed)
    ours, theirs = bits["la del curso"], bits["nanoGPT (CPU)"]
    row = f"{ours:.3f} bits por carácter; la de nanoGPT, {theirs:.3f}; razón {ours / theirs:.3f}"
    report(seed, row)
    assert ours <= 0.80 * theirs
