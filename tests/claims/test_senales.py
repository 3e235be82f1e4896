"""Señales: reconoce cifras en voces nuevas, y centrar las bandas aguanta el ruido."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("5_audio/senales.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_hears_digits_in_new_voices_and_stands_noise(chapter, seed):
    encoder, _, accuracy, linear = chapter["contest"](seed)
    robust = chapter["centred"](seed)
    plain, centered = (
        chapter["noise_curve"](model, chapter["test"]) for model in (encoder, robust)
    )
    clean = chapter["word_accuracy"](robust, chapter["test"])
    curve = ", ".join(
        f"{level} dB {one:.1%} y {other:.1%}"
        for level, one, other in zip(chapter["LEVELS"], plain, centered, strict=True)
    )
    report(
        seed,
        f"codificador {accuracy:.1%}, lineal {linear:.1%}, bandas centradas {clean:.1%}; "
        f"con ruido, sin centrar y centrando: {curve}",
    )  # fmt: skip
    assert accuracy >= 0.97 and clean >= 0.97 and linear < 0.9
    assert centered[3] > 0.9 and centered[3] > plain[3] + 0.2
